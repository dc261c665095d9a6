import { api, optional } from '/assets/lib/api.js';
import { $, say } from '/assets/lib/dom.js';
import { part } from './loader.js';

class Panel {
  constructor(name, host) {
    this.name = name;
    this.host = host;
  }

  async mount(plots) {
    try {
      const { mount } = await part(this.name);
      mount(this.host, plots);
      return true;
    } catch {
      return false; // the panel keeps its placeholder
    }
  }
}

const panels = [new Panel('list', $('#list')), new Panel('map', $('#map'))];
const { plots } = await api.get('/api/plots');
const soil = await optional(api.get('/api/plots/soil'));
if (!soil) console.warn('plots: soil samples are not there yet');
const shown = await Promise.all(panels.map((panel) => panel.mount(plots)));
say(`${plots.length} plots, ${shown.filter(Boolean).length} views`);
