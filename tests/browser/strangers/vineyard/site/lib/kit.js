export class HttpError extends Error {
  constructor(response) {
    super(`${response.status} for ${new URL(response.url).pathname}`);
    this.status = response.status;
  }
}

export async function getJson(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new HttpError(response);
  return response.json();
}

export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.flat());
  return node;
}

export const pick = (selector) => document.querySelector(selector);
export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export function table(heads, rows) {
  return h("table", {}, h("tr", {}, heads.map((t) => h("th", {}, t))),
    rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, String(cell))))));
}
