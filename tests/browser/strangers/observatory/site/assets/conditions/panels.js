export class Panel {
  constructor(host, title) {
    this.element = document.createElement('section');
    this.element.className = 'card';
    this.element.innerHTML = `<h3>${title}</h3><p class="value">-</p><p class="muted note"></p>`;
    host.append(this.element);
  }
  show(value, note = '') {
    this.element.querySelector('.value').textContent = value;
    this.element.querySelector('.note').textContent = note;
  }
}

export class WeatherPanel extends Panel {
  update({ temperature, humidity, wind }) {
    this.show(`${temperature} °C`, `humidity ${humidity} %, wind ${wind} km/h`);
  }
}

export class SeeingPanel extends Panel {
  grade(fwhm) {
    return fwhm < 0.8 ? 'excellent' : fwhm < 1.2 ? 'good' : fwhm < 2 ? 'fair' : 'poor';
  }
  update({ seeing }) {
    this.show(`${seeing.fwhm.toFixed(2)}″`, `${this.grade(seeing.fwhm)} (${seeing.source})`);
  }
}

export class ClockPanel extends Panel {
  constructor(host) {
    super(host, 'Last reading');
    setInterval(() => this.tick(), 500);
  }
  update({ at }) {
    this.at = at;
    this.since = performance.now();
    this.tick();
  }
  tick() {
    if (!this.at) return;
    const seconds = Math.round((performance.now() - this.since) / 1000);
    this.show(this.at, seconds < 2 ? 'live' : `${seconds} s ago`);
  }
}
