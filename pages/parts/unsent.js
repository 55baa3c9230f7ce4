// What was typed into the editors the moment before another page was opened: Python gets it there.

export default function ({ data, setStateValue }) {
  const kept = window.__tokenLabEditors?.[data.key];
  if (!kept?.typed || kept.version !== data.version || kept.ids[kept.side] === data.id) return;
  const { side, version } = kept;
  const text = kept.texts[side];
  if (text.length > data.live && !kept.asked) return; // the editors told so at once
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  fetch(`/api/convert?from=${side}`, { method: "POST", headers, body: text })
    .then((response) => response.json())
    .then(({ id }) => {
      kept.ids = { [side]: id };
      setStateValue("edit", { side, version, waiting: false, [side]: id });
    })
    .catch(() => {}); // the text stays in the browser, and the next page tries again
}
