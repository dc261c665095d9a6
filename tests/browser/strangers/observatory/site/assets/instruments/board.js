import './card.js';

class InstrumentBoard extends HTMLElement {
  async connectedCallback() {
    this.className = 'grid';
    const response = await fetch(this.getAttribute('src'));
    const { instruments } = await response.json();
    for (const instrument of instruments) {
      const card = document.createElement('instrument-card');
      card.instrumentId = instrument.id;
      if (this.hasAttribute('dense')) card.setAttribute('compact', '');
      this.append(card);
    }
    this.dispatchEvent(new CustomEvent('board-ready', { bubbles: true, detail: { count: instruments.length } }));
  }
}

class MaintenanceNote extends HTMLElement {
  async connectedCallback() {
    const response = await fetch('/api/maintenance');
    if (response.ok) this.textContent = (await response.json()).text;
    else console.warn('[maintenance] none is planned (' + response.status + ')');
  }
}

customElements.define('instrument-board', InstrumentBoard);
customElements.define('maintenance-note', MaintenanceNote);
document.addEventListener('board-ready', event => {
  document.querySelector('#count').textContent = `${event.detail.count} instruments`;
});
