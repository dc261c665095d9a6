import { getJson } from "./api.js";

/** <stats-panel>: three figures. */
export class StatsPanel extends HTMLElement {
  async load() {
    const stats = await getJson("/api/stats");
    const percent = (stats.conversion * 100).toFixed(1);
    this.textContent = `${stats.visits} visits, ${stats.orders} orders, ${percent} % bought`;
  }
}

/** <activity-feed>: who did what. */
export class ActivityFeed extends HTMLElement {
  async load() {
    const { items } = await getJson("/api/activity");
    this.replaceChildren(...items.map(({ who, what }) => {
      const line = document.createElement("p");
      line.textContent = `${who} ${what}`;
      return line;
    }));
  }
}

/** <report-chart>: revenue as bars. The report takes the server more than a second. */
export class ReportChart extends HTMLElement {
  async load() {
    const report = await getJson("/api/reports");
    performance.mark("report-arrived");
    const most = Math.max(...report.revenue);
    this.replaceChildren(...report.revenue.map((sum, i) => {
      const bar = document.createElement("span");
      bar.className = "bar";
      bar.style.height = `${Math.round((sum / most) * 80)}px`;
      bar.title = `${report.months[i]}: ${sum}`;
      return bar;
    }));
  }
}

customElements.define("stats-panel", StatsPanel);
customElements.define("activity-feed", ActivityFeed);
customElements.define("report-chart", ReportChart);
