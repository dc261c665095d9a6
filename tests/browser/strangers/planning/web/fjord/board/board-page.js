import { api } from "../core/api.js";
import { createStore } from "../core/store.js";
import { bindQuickAdd } from "./quick-add.js";

const { h, mount } = window.View;
const store = createStore({ columns: [], tasks: [] });

function column(col, tasks) {
  return h("section", { class: "column" }, h("h2", {}, col.name),
    tasks.filter((t) => t.column === col.id).map((t) => h("div", { class: "card" }, t.title)));
}

function render({ columns, tasks }) {
  mount("#board", h("div", { class: "columns" }, columns.map((col) => column(col, tasks))));
  bindQuickAdd(document.querySelector("#quick-add"), store);
}

store.subscribe(render);

const board = await api.get("/boards/3");
store.set({ columns: board.columns });
const { items } = await api.get("/tasks?board=3");
store.set({ tasks: items });
