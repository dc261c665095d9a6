import { collect } from "../core/paging.js";

const { h, mount } = window.View;

async function open() {
  mount("#tasks", h("p", { class: "spinner", "aria-busy": "true" }, "Loading tasks…"));
  const tasks = await collect("/tasks?project=5");
  tasks.sort((a, b) => a.title.localeCompare(b.title));
  mount("#tasks", h("ul", {}, tasks.map((task) => h("li", { class: "card" }, task.title))));
}

open();
