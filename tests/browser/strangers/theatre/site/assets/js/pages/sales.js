import { api } from '../shared/client.js';
import { createStore } from '../shared/store.js';
import { log } from '../shared/log.js';

const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 });

class SalesSeries {
  static from(answer) {
    return new SalesSeries(answer.days.map((day) => ({
      date: day.date,
      sold: Number(day.sold || 0),
      revenue: Number(day.revenue || 0),
    })));
  }
  constructor(days) { this.days = days; }
  get sold() { return this.days.reduce((sum, day) => sum + day.sold, 0); }
  get revenue() { return this.days.reduce((sum, day) => sum + day.revenue, 0); }
  get best() { return this.days.reduce((best, day) => (day.sold > best.sold ? day : best), { sold: 0, date: '-' }); }
}

const store = createStore((state, action) => {
  if (action.type === 'sales') return { ...state, series: action.series };
  if (action.type === 'alerts') return { ...state, alerts: action.alerts };
  return state;
}, { series: null, alerts: [] });

const widgets = {
  figures({ series }) {
    document.querySelector('#sold').textContent = series ? String(series.sold) : '...';
    document.querySelector('#revenue').textContent = series ? money.format(series.revenue) : '...';
    document.querySelector('#best').textContent = series ? series.best.date : '...';
  },
  chart({ series }) {
    if (!series) return;
    const most = Math.max(1, ...series.days.map((day) => day.sold));
    document.querySelector('#chart').replaceChildren(...series.days.map((day) => {
      const bar = document.createElement('span');
      bar.className = 'bar';
      bar.style.height = `${Math.round((day.sold / most) * 130)}px`;
      bar.title = `${day.date}: ${day.sold}`;
      return bar;
    }));
  },
  alerts({ alerts }) {
    document.querySelector('#alerts').replaceChildren(...alerts.map((alert) => {
      const p = document.createElement('p');
      p.textContent = alert.text;
      return p;
    }));
  },
};

store.subscribe((state) => Object.values(widgets).forEach((widget) => widget(state)));

async function refresh() {
  const [sales, alerts] = await Promise.allSettled([api.get('/office/sales'), api.get('/office/alerts')]);
  if (sales.status === 'fulfilled') store.dispatch({ type: 'sales', series: SalesSeries.from(sales.value) });
  if (alerts.status === 'fulfilled') store.dispatch({ type: 'alerts', alerts: alerts.value.alerts });
}

refresh().catch((error) => log.warn('sales', error));
setInterval(refresh, 15000);
fetch('/api/office/forecast').then((r) => { if (!r.ok) log.warn('forecast is not part of this licence'); });
