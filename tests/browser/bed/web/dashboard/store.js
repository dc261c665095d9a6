// Series by name. Panels read from here; what was loaded once survives a change of tab.
import { request, cached } from './client.js';
import { revenueSource } from './settings.js';

const KEY = 'pulse:series';

export class Store {
  constructor(settings) {
    this.settings = settings;
    this.series = {};
    this.events = kit.emitter();
  }

  async warm() {
    const revenue = await request(revenueSource(this.settings)).catch((error) => {
      console.debug('[store] revenue left for later', error.status);
      return null;
    });
    this.keep('revenue', revenue && revenue.months);
    await Promise.all([this.load('metrics', '/api/metrics'), this.load('alerts', '/api/alerts')]);
  }

  async load(name, path) {
    const answer = await cached(path);
    this.keep(name, answer.items);
    return answer;
  }

  keep(name, value) {
    this.series[name] = value;
    try {
      sessionStorage.setItem(`${KEY}:${name}`, JSON.stringify(value));
    } catch (error) {
      console.warn('[store] not kept', name);
    }
    this.events.emit('changed', name);
  }

  read(name) {
    if (name in this.series) return this.series[name];
    return JSON.parse(sessionStorage.getItem(`${KEY}:${name}`));
  }
}
