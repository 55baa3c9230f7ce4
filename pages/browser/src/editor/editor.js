// The two editors as a component of Streamlit.

import { mounted } from "../shared/lasting.js";
import { Session } from "./session.js";

export default mounted(Session);
