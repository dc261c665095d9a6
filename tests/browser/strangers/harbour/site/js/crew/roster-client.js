import { Api } from '/js/core/api.js';

const client = new Api({ base: '/api/roster' });

export class RosterClient {
  constructor(scope) {
    this.scope = scope;
  }

  shifts() {
    return client.get('', { signal: this.scope.signal });
  }

  people() {
    return client.get('/people', { signal: this.scope.signal });
  }

  holidays() {
    return client.get('/holidays', { signal: this.scope.signal }).catch(() => ({ days: [] }));
  }

  assign(id, who) {
    return client.put(`/${id}`, { who }, { signal: this.scope.signal });
  }
}
