export const $ = (q, root = document) => root.querySelector(q);
export function fill(list, rows, make = (r) => r) {
  const tpl = $('#row');
  list.replaceChildren(...rows.map((r) => {
    const node = tpl ? tpl.content.firstElementChild.cloneNode(true) : document.createElement('li');
    node.textContent = make(r);
    return node;
  }));
}
