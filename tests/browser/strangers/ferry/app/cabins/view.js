import { CabinClient } from "./client.js";
import { h, put } from "/lib/dom.js";

const client = new CabinClient();
const [types, free] = await Promise.all([client.types(), client.availability("N204")]);
put("#cabins", types.map((type) => h("li", {}, `${type}: ${free[type] ? `${free[type]} free` : "sold out"}`)));
