/** Gives every bar the part of its cell that its share is. */
export function fitBars(table) {
  const rows = [...table.tBodies[0].rows];
  const most = Math.max(...rows.map((row) => Number(row.dataset.kwh)));
  for (const row of rows) {
    const cell = row.cells[3];
    const bar = document.createElement("div");
    bar.className = "bar";
    cell.append(bar);
    const room = cell.clientWidth - 16;
    bar.style.width = `${Math.max(4, room * (row.dataset.kwh / most))}px`;
    row.cells[1].style.paddingLeft = `${row.cells[0].offsetWidth > 120 ? 12 : 8}px`;
  }
}
