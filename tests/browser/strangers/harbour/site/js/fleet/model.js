import { api } from '/js/core/api.js';
import { Bus } from '/js/core/bus.js';

/** A row as the list wants it: no nesting. */
export function flatten(vessel) {
  const { mooring, ...rest } = vessel;
  return { ...rest, ...mooring, label: `${vessel.name} (${vessel.flag})` };
}

export class Fleet extends Bus {
  rows = [];
  chosen = null;

  async load() {
    const { vessels } = await api.get('/vessels');
    this.rows = vessels.map(flatten).sort((one, other) => one.name.localeCompare(other.name));
    this.emit('rows', this.rows);
  }

  find(text) {
    const wanted = text.trim().toLowerCase();
    this.emit('rows', this.rows.filter((row) => row.name.toLowerCase().includes(wanted)));
  }

  async choose(id) {
    const ticket = (this.chosen = id);
    const vessel = await api.get(`/vessels/${id}`);
    if (ticket === this.chosen) this.emit('vessel', vessel);
  }
}
