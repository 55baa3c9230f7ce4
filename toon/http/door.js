// Runs first in Streamlit's page, which stays blank where its files or its WebSocket are refused:
// asks the door whether they will come through, and shows what it says if not.
{
  const door = new URL("./api/door", location.href);
  const explain = async () => {
    const answer = await fetch(door, { method: "POST", headers: { Accept: "text/html" } });
    if (!answer.headers.has("X-Refusal")) return;
    const text = await answer.text();
    window.stop();
    document.documentElement.innerHTML = text;
  };
  new WebSocket(door.href.replace("http", "ws")).onerror = () => explain().catch(() => {});
}
