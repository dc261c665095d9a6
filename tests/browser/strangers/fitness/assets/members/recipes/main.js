import { $, escape, html } from "/assets/lib/dom.js";
import { getJson } from "/assets/lib/http.js";

async function patiently(task, tries = 4, pause = 250) {
  for (let left = tries; ; left--) {
    try {
      return await task();
    } catch (error) {
      if (left <= 1 || error.status !== 503) throw error;
      console.warn(`[recipes] ${error.message}, once more in ${pause} ms`);
      await new Promise((done) => setTimeout(done, pause));
      pause *= 2;
    }
  }
}

const recipes = await patiently(() => getJson("/api/recipes"));
$("#recipes").innerHTML = html`${recipes.map((r) => html`<li>${escape(r.name)}, ${r.minutes} minutes</li>`)}`;
