import { api } from "../core/api.js";
import { flush } from "../core/metrics.js";

const { h, mount } = window.View;
const base = document.documentElement.dataset.api;

function avatar(person) {
  const image = h("img", { class: "avatar", alt: "", src: `${base}/avatars/${person.id}.png` });
  image.addEventListener("error", () => image.replaceWith(h("span", { class: "initials" }, person.initials)));
  return image;
}

function row(file) {
  return h("tr", {}, h("td", {}, file.name), h("td", {}, file.size), h("td", {}, avatar(file.owner), " ", file.owner.name));
}

const { files } = await api.get("/projects/7/files");
mount("#files", h("table", {}, files.map(row)));
flush([{ name: "files.open", count: files.length }]);
