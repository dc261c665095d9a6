import { api } from "../core/api.js";
import { formatDate, parseDate } from "../core/dates.js";

const { h, mount } = window.View;

function row(task) {
  return h("tr", {}, h("td", {}, task.title), h("td", {}, task.assignee), h("td", { class: "due" }, formatDate(task.due)));
}

const { items } = await api.get("/tasks?sort=due");
items.sort((a, b) => parseDate(a.due) - parseDate(b.due));
mount("#tasks", h("table", {}, h("tr", {}, h("th", {}, "Task"), h("th", {}, "Assignee"), h("th", {}, "Due")), items.map(row)));
