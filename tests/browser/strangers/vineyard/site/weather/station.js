const PATIENCE = 800;

async function ask(url) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), PATIENCE);
  try {
    const response = await fetch(url, { signal: control.signal });
    return await response.json();
  } finally {
    clearTimeout(timer);
  }
}

class WeatherStation extends HTMLElement {
  connectedCallback() {
    this.innerHTML = "<p class=about></p><div class=readings><p class=busy>Reading the sensors…</p></div>";
    ask("/api/station/about").then((about) => {
      this.querySelector(".about").textContent = `${about.name}, ${about.altitude} m`;
    });
    this.refresh();
  }

  async refresh() {
    let readings = [];
    try {
      ({ readings } = await ask(`/api/station/readings?station=${this.getAttribute("name")}&hours=24`));
    } catch {
      readings = [];
    }
    this.show(readings);
  }

  show(readings) {
    const place = this.querySelector(".readings");
    place.innerHTML = readings.length
      ? `<table>${readings.map((r) => `<tr><td>${r.at}<td>${r.temp} °C<td>${r.humidity} %`).join("")}</table>`
      : "<p class=empty>The station is not reporting. Please check its battery.</p>";
  }
}

customElements.define("weather-station", WeatherStation);
