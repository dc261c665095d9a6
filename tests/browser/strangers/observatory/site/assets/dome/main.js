import { http } from '/assets/lib/http.js';
import { Toasts } from './toast.js';

const $ = selector => document.querySelector(selector);
const toasts = new Toasts();

class Dome {
  constructor() {
    this.status = null;
  }

  async refresh() {
    this.status = await http.get('/api/dome/status');
    $('#shutter').textContent = `Shutter ${this.status.shutter}`;
    $('#azimuth').textContent = `${this.status.azimuth}°`;
    return this.status;
  }

  /** Asks for the interlock first: nobody moves a dome with somebody in it. */
  async command(action, detail = {}) {
    $('#state').textContent = 'Checking the interlock';
    const { interlock } = await this.refresh();
    if (interlock !== 'ok') {
      toasts.show('Interlock is active');
      return;
    }
    await http.post('/api/dome/commands', { action, ...detail });
    await this.refresh();
    $('#state').textContent = 'Done';
    toasts.show(`Dome: ${action}`);
  }
}

const dome = new Dome();

function report(error) {
  console.error('[dome]', error);
  $('#state').textContent = 'The dome does not answer';
}

for (const button of document.querySelectorAll('[data-action]')) {
  button.addEventListener('click', () => {
    const operator = $('#operator').value;
    dome.command(button.dataset.action, { operator }).catch(report);
  });
}

async function watch() {
  try {
    await dome.refresh();
  } catch (error) {
    console.warn('[dome] status', error.message);
  }
  setTimeout(watch, 2000);
}

await watch();
toasts.show('Connected with the dome');
http.get('/api/dome/camera').catch(() => console.warn('[dome] the camera is off at daytime'));
