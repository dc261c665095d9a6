import { Client } from '../shared/client.js';

/** The wardrobe's service: it is shared with the depot. */
export class Fundus {
  constructor(base) {
    this.client = new Client({ base });
  }
  list() { return this.client.get('/costumes').then((answer) => answer.items); }
  houses() { return this.client.get('/houses').then((answer) => answer.items); }
  reserve(costume, who) {
    return this.client.put(`/costumes/${costume.id}/reservation`, { for: who, until: '2026-12-31' }, {
      headers: { 'If-Match': `"${costume.rev}"` },
    });
  }
}
