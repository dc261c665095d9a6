import { api } from '../shared/client.js';
import { log } from '../shared/log.js';

class TourRepository {
  constructor(client) { this.client = client; }

  stops() { return this.client.get('/tour').then(({ stops }) => stops); }

  async complete(stop) {
    const detail = await this.client.get(`/tour/stops/${stop.id}`);
    const { free } = await this.client.get(detail.links.availability.replace('/api', ''));
    return { ...stop, hall: detail.hall, free };
  }

  async all() {
    const stops = [];
    for (const stop of await this.stops()) {
      stops.push(await this.complete(stop));
    }
    return stops.sort((a, b) => a.date.localeCompare(b.date));
  }
}

class TourTable {
  constructor(host) { this.host = host; }

  waiting() { this.host.innerHTML = '<p class="spin">Packing the lorries ...</p>'; }

  show(stops) {
    const table = document.createElement('table');
    for (const stop of stops) {
      const row = table.insertRow();
      for (const text of [stop.date, stop.town, stop.hall, `${stop.free} free`]) row.insertCell().textContent = text;
    }
    this.host.replaceChildren(table);
  }
}

async function weather() {
  const { text } = await api.get('/weather');
  document.querySelector('#weather').textContent = `On the road: ${text}`;
}

async function begin() {
  const table = new TourTable(document.querySelector('#tour'));
  table.waiting();
  weather().catch((error) => log.note('weather', error));
  const stops = await new TourRepository(api).all();
  table.show(stops);
}

begin().catch((error) => log.warn('tour', error));
fetch('/api/tour/map-tiles.json').then((r) => { if (!r.ok) log.warn('the tour is shown without a map'); });
