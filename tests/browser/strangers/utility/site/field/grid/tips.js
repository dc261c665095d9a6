import { h } from "/shared/dom.js";

/** Tips beside elements. They lie in one layer above the page. */
export class Tips {
  constructor(layer) {
    this.layer = layer;
  }

  attach(element, text) {
    const tip = h("div", { class: "tip" }, h("b", {}, text.title), " ", h("span", {}, text.body));
    this.layer.append(tip);
    const place = () => {
      const box = element.getBoundingClientRect();
      tip.style.left = `${box.right}px`;
      tip.style.top = `${box.top}px`;
    };
    element.addEventListener("mouseenter", () => {
      place();
      tip.classList.add("shown");
    });
    element.addEventListener("mouseleave", () => tip.classList.remove("shown"));
    window.addEventListener("resize", place);
  }
}
