import { getJSON } from "/lib/http.js";
import { h, put } from "/lib/dom.js";
import { read, write } from "./shelf.js";
import { keepArchive } from "./archive.js";

const draw = () => {
  const favs = read("skerry.favourites", []);
  put("#favs", favs.length ? favs.map((f) => h("li", {}, f)) : h("li", { className: "muted" }, "You have no favourites."));
};
put("#route", (await getJSON("/api/routes")).map((r) => h("option", {}, r)));
await keepArchive();
draw();
document.querySelector("#keep").addEventListener("click", () => {
  write("skerry.favourites", [...read("skerry.favourites", []), document.querySelector("#route").value]);
  put("#note", "Saved.");
  draw();
});
