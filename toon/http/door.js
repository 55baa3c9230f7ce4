// Runs first in Streamlit's page, which stays blank where its files or its WebSocket are refused:
// asks the door whether they will come through, and shows what it says if not.
{
  const door = new URL("./api/door", location.href);
  const line = new WebSocket(door.href.replace("http", "ws"));
  const show = (text) => {
    window.stop();
    document.documentElement.innerHTML = text;
  };
  const explain = async () => {
    const answer = await fetch(door, { method: "POST", headers: { Accept: "text/html" } });
    if (answer.headers.has("X-Refusal")) show(await answer.text());
    // Somebody else answered: a proxy, or this server for what lies below a page.
    else if ([404, 405].includes(answer.status)) {
      const prefix = location.pathname.replace(/^\/|\/$/g, "");
      if (prefix) show(__ASTRAY__.replaceAll("__PREFIX__", prefix));
    }
  };
  line.onerror = () => explain().catch(() => {});
}
