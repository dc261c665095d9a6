import { getJson, h, pick } from "/lib/kit.js";

const { wines } = await getJson("/api/start/featured");
pick("#featured").append(...wines.map((w) => h("li", {}, `${w.name} ${w.vintage}`)));
new Image().src = "http://127.0.0.1:@@NOBODY@@/pixel.gif?home";
console.warn("[carousel] autoplay is deprecated and will go with version 5");
window.visits?.report("featured");
