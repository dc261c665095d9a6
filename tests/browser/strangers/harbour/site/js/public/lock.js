import { Api, ApiError } from '/js/core/api.js';
import { $, h, fill } from '/js/core/dom.js';

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

class Patient extends Api {
  constructor(options, tries = 5) {
    super(options);
    this.tries = tries;
  }

  async send(method, path, options) {
    for (let turn = 1; ; turn += 1) {
      try {
        return await super.send(method, path, options);
      } catch (error) {
        const again = error instanceof ApiError && [502, 503, 504].includes(error.status) && turn < this.tries;
        if (!again) throw error;
        console.warn(`lock: ${path} is not ready (${error.status}), again in ${turn * 200} ms`);
        await pause(turn * 200);
      }
    }
  }
}

const lock = new Patient({ base: '/api/lock' });

async function times() {
  const { openings } = await lock.get('/times');
  fill($('#openings'), openings.map((row) => h('tr', {}, h('td', {}, row.at), h('td', {}, row.way === 'in' ? 'Into the harbour' : 'Out to sea'))));
}

async function level() {
  const { inside, outside } = await lock.get('/level');
  $('#level').textContent = `Inside ${inside.toFixed(1)} m, outside ${outside.toFixed(1)} m`;
}

await Promise.all([times(), level()]);
$('#state').textContent = 'Times are those of today.';
