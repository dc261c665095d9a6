import { api } from '/lib/http.js';

const EVERY = 1500;

export class LiveBoard {
  constructor(list, banner) {
    this.list = list;
    this.banner = banner;
    this.timer = null;
  }

  async refresh() {
    try {
      const data = await api('/api/stock/movements');
      this.render(data);
    } catch (err) {
      console.error('movements', err);
      this.banner.className = 'error';
      this.banner.textContent = 'Live data is paused.';
    }
  }

  render({ at, movements }) {
    this.banner.className = 'muted';
    this.banner.textContent = `As of ${at}`;
    this.list.replaceChildren(...movements.map((m) => {
      const li = document.createElement('li');
      li.textContent = `${m.title}: ${m.delta > 0 ? '+' : ''}${m.delta}`;
      return li;
    }));
    this.schedule();
  }

  schedule() {
    this.timer = setInterval(() => this.refresh(), EVERY);
  }
}
