import { api } from '../shared/client.js';
import { log } from '../shared/log.js';

/** A square code that the readers at the doors understand: a drawing of the ticket's number. */
class DoorCode {
  constructor(text, size = 21) {
    this.text = text;
    this.size = size;
  }

  *bits() {
    let seed = [...this.text].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) >>> 0, 7);
    for (let i = 0; i < this.size * this.size; i += 1) {
      seed = (seed * 1664525 + 1013904223) >>> 0;
      yield seed > 0x7fffffff;
    }
  }

  svg() {
    let at = 0;
    const cells = [];
    for (const dark of this.bits()) {
      if (dark) cells.push(`<path d="M${at % this.size} ${Math.floor(at / this.size)}h1v1h-1z"/>`);
      at += 1;
    }
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.size} ${this.size}">${cells.join('')}</svg>`;
  }

  image() {
    const blob = new Blob([this.svg()], { type: 'image/svg+xml' });
    const url = URL.createObjectURL(blob);
    return new Promise((resolve) => {
      const img = new Image(210, 210);
      img.alt = '';
      img.onload = () => { URL.revokeObjectURL(url); resolve(img); };
      img.onerror = () => { URL.revokeObjectURL(url); resolve(null); };
      img.src = url;
    });
  }
}

class TicketSheet {
  constructor(host) { this.host = host; }

  show(ticket) {
    for (const name of ['show', 'date', 'seat', 'holder', 'entrance']) {
      this.host.querySelector(`[data-of=${name}]`).textContent = ticket[name];
    }
  }

  async code(ticket) {
    const img = await new DoorCode(ticket.code).image();
    const place = this.host.querySelector('.code');
    if (img) place.replaceChildren(img);
    else place.textContent = 'Your code will be here one hour before the performance.';
  }
}

async function begin() {
  const sheet = new TicketSheet(document.querySelector('#sheet'));
  const ticket = await api.get('/my/ticket');
  sheet.show(ticket);
  await sheet.code(ticket);
  const wallet = await fetch('/api/my/wallet-pass', { method: 'HEAD' });
  if (wallet.ok) document.querySelector('#wallet').hidden = false;
}

begin().catch((error) => log.warn('ticket', error));
document.querySelector('#print').addEventListener('click', () => window.print());
