import { api } from "../core/api.js";

const { h, mount } = window.View;
const filters = { all: "All", overdue: "Overdue", mine: "Mine" };
const state = { filter: "all", items: [] };
let controller = null;

function renderTabs() {
  mount("#tabs", Object.entries(filters).map(([id, label]) =>
    h("button", { id: `tab-${id}`, role: "tab", "aria-selected": String(state.filter === id), onClick: () => show(id) }, label)));
}

function renderList() {
  mount("#tasks", h("ul", {}, state.items.map((task) =>
    h("li", { class: "card" }, `${task.title} · ${task.assignee}`))));
}

async function show(filter) {
  controller?.abort();
  controller = new AbortController();
  state.filter = filter;
  renderTabs();
  try {
    const { items } = await api.get(`/tasks?filter=${filter}`, { signal: controller.signal });
    state.items = items;
    renderList();
  } catch (error) {
    if (error.name === "AbortError") console.debug(`[tasks] ${filter} superseded`);
    else throw error;
  }
}

console.warn("[tasks] saved views are deprecated and will be removed in 5.0");
async function restoreView() {
  const { filter } = await api.get("/preferences");
  if (filter !== state.filter) await show(filter);
}

show("all");
restoreView();
