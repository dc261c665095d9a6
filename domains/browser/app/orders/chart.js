import { orders } from "./store.js";

function drawBars(chart) {
  const { months, currency } = orders();
  const most = Math.max(...months.map((month) => month.total));
  chart.replaceChildren(...months.map(({ name, total }) => {
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.style.height = `${Math.round((total / most) * 160)}px`;
    bar.textContent = `${name} ${total} ${currency}`;
    return bar;
  }));
}

export function scheduleChart(chart) {
  requestAnimationFrame(() => drawBars(chart));
}
