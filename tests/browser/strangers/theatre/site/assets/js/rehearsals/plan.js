import { api } from '../shared/client.js';
import { bus } from '../shared/emitter.js';

export class Plan {
  constructor(session) {
    this.session = session;
    this.week = 49;
    this.items = [];
  }

  async load() {
    const query = new URLSearchParams({ week: this.week, ensemble: this.session.who.ensembleId });
    const { items } = await api.get(`/rehearsals?${query}`);
    this.items = items;
    bus.emit('plan', this);
  }

  move(by) {
    this.week = Math.min(52, Math.max(1, this.week + by));
    return this.load();
  }
}

export class Rooms {
  async load() {
    const { rooms } = await api.get('/rooms');
    bus.emit('rooms', rooms);
  }
}
