import { api } from "../core/api.js";
import { formatDate } from "../core/dates.js";
import { loadDirectory, nameOf } from "./directory.js";

const { h, mount } = window.View;

function bar(task) {
  return h("li", { class: "card" }, `${formatDate(task.start)}: ${task.title} (${nameOf(task.assigneeId)})`);
}

async function open() {
  loadDirectory();
  const { items } = await api.get("/tasks?view=timeline");
  mount("#timeline", h("ol", {}, items.map(bar)));
}

open().catch((error) => {
  console.error("[timeline] could not render", error);
  mount("#timeline", h("p", { class: "notice" }, "The timeline is unavailable right now."));
});
