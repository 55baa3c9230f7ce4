// The two editors as a component of Streamlit.

import { lasting } from "../shared/lasting.js";
import { Session } from "./session.js";

const SESSIONS = new WeakMap();

/** Streamlit calls this at mount and whenever `data` or the theme changes. */
export default lasting((component) => {
  const { parentElement, data } = component;
  let session = SESSIONS.get(parentElement);
  if (!session) {
    session = new Session(parentElement, data);
    SESSIONS.set(parentElement, session);
  }
  session.update(component);
  return () => {
    SESSIONS.delete(parentElement);
    session.close();
  };
});
