// The start of Python, while the browser loads the rest of the page.

import { startEarly } from "./python.js";

startEarly();
