class WindBadge extends HTMLElement {
  connectedCallback() {
    this.root = this.attachShadow({ mode: "open" });
    this.draw({ wind: 0, gust: 0, dir: "–" });
    this.load();
  }

  async load() {
    const url = `http://127.0.0.1:@@METEO@@/v1/wind?station=${this.getAttribute("station")}`;
    const answer = await fetch(url, { headers: { "X-Skerry-Client": "web/5.2" } }).catch(() => null);
    if (answer) this.draw(await answer.json());
  }

  draw({ wind, gust, dir }) {
    const verdict = wind > 20 ? "Crossings are stopped" : "Calm, all crossings run";
    this.root.innerHTML = `<style>b{font-size:2em}</style><b>${wind} m/s</b> <span>${dir}, gusts ${gust}</span><p>${verdict}</p>`;
  }
}
customElements.define("wind-badge", WindBadge);
