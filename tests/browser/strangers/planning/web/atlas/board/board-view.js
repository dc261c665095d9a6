const { h, mount } = window.View;

function card(task) {
  return h("div", { class: "card" }, task.title);
}

function column(col, tasks) {
  return h("section", { class: "column" },
    h("h2", {}, col.name),
    tasks.filter((task) => task.column === col.id).map(card));
}

export function renderBoard(state) {
  if (!state.ready) return;
  const columns = state.board.columns.map((col) => column(col, state.tasks));
  mount("#board", h("div", { class: "columns" }, columns));
}
