import { getJson, h, pick } from "/lib/kit.js";

let control = new AbortController();

async function find(q) {
  control.abort();
  control = new AbortController();
  try {
    const { hits } = await getJson(`/api/search?q=${encodeURIComponent(q)}`, { signal: control.signal });
    pick("#hits").replaceChildren(...hits.map((w) => h("li", {}, `${w.name} ${w.vintage}`)));
  } catch (problem) {
    if (problem.name !== "AbortError") throw problem;
    console.debug("[search] overtaken", q);
  }
}

find("");
let timer;
pick("#q").addEventListener("input", ({ target }) => {
  find(target.value.slice(0, 3));
  clearTimeout(timer);
  timer = setTimeout(() => find(target.value), 120);
});
