import { api } from "../core/api.js";

const { h, mount } = window.View;
const filters = { all: "All", overdue: "Overdue", mine: "Mine" };
const state = { filter: "all", items: [] };

function renderTabs() {
  mount("#tabs", Object.entries(filters).map(([id, label]) =>
    h("button", { id: `tab-${id}`, role: "tab", "aria-selected": String(state.filter === id), onClick: () => show(id) }, label)));
}

function renderList() {
  mount("#tasks", h("ul", {}, state.items.map((task) =>
    h("li", { class: "card" }, `${task.title} · ${task.assignee}`))));
}

async function show(filter) {
  state.filter = filter;
  renderTabs();
  const { items } = await api.get(`/tasks?filter=${filter}`);
  state.items = items;
  renderList();
}

async function restoreView() {
  const { filter } = await api.get("/preferences");
  if (filter !== state.filter) await show(filter);
}

show("all");
restoreView();
