import { get } from "../core/client.js";

const { h, mount } = window.View;

const [board, tasks] = await Promise.all([get("/boards/3"), get("/tasks?board=3")]);
mount("#board", h("div", { class: "columns" }, board.columns.map((col) =>
  h("section", { class: "column" }, h("h2", {}, col.name),
    tasks.items.filter((t) => t.column === col.id).map((t) => h("div", { class: "card" }, t.title))))));
