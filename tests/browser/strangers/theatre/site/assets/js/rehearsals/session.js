import { api } from '../shared/client.js';
import { log } from '../shared/log.js';

const GUEST = Object.freeze({ name: 'Guest', ensembleId: 0, roles: [] });

export class Session {
  constructor() { this.who = GUEST; }

  async begin() {
    try {
      const me = await api.get('/members/me');
      this.who = { name: me.displayName, ensembleId: me.ensemble.id, roles: me.roles };
    } catch (error) {
      log.info('session', error.name);
      this.who = GUEST;
    }
    return this.who;
  }

  can(role) { return this.who.roles.includes(role); }
}
