import { h } from "/shared/dom.js";

/** A small picture of the first page, or a sign of paper as long as there is none. */
export function thumbnail({ id }) {
  const picture = h("img", { src: `/thumbs/${id}.png`, alt: "", width: 24, height: 32 });
  picture.addEventListener("error", () => {
    console.warn(`no thumbnail of ${id} yet`);
    picture.replaceWith(h("span", { class: "muted" }, "▤"));
  }, { once: true });
  return picture;
}
