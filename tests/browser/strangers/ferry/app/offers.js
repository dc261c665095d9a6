import { getJSON } from "/lib/http.js";
import { h, put } from "/lib/dom.js";
async function patient(url, tries = 4) {
  for (let n = 1; ; n++) {
    try { return await getJSON(`${url}?try=${n}`); } catch (error) {
      if (n === tries) throw error;
      console.warn(`offers: ${error.message}, once more`);
      await new Promise((go) => setTimeout(go, 300 * n));
    }
  }
}
put("#offers", (await patient("/api/offers")).map((o) => h("li", {}, `${o.title}, from € ${o.price}`)));
