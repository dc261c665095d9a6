import { getJSON } from "/lib/http.js";
import { h, put } from "/lib/dom.js";
import { clock } from "./eta.mjs";

const calls = await getJSON("/api/portcalls");
put("#calls", calls.map((call) => h("li", {}, `${call.ship} at ${call.port}, ${clock(call.eta)}`)));
