import { $, list } from '/lib/ui.js';
import '/lib/metrics.js';
import { authorized } from './auth.js';

function signedOut() {
  $('#content').hidden = true;
  $('#note').textContent = 'You have been signed out. Please sign in again.';
}

class Panel {
  constructor(target, path, pick) {
    Object.assign(this, { target, path, pick });
  }
  async load() {
    try {
      list(this.target, this.pick(await authorized(this.path)), (text) => text, 'Nothing');
    } catch {
      signedOut();
    }
  }
}

new Panel($('#devices'), '/api/devices', (body) => body.devices).load();
new Panel($('#logins'), '/api/logins', (body) => body.logins).load();
