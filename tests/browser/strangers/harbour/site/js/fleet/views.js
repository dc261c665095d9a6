import { h, fill } from '/js/core/dom.js';

export class ListView {
  constructor(fleet, host) {
    this.host = host;
    fleet.on('rows', (rows) => this.draw(rows));
    host.addEventListener('click', (event) => {
      const row = event.target.closest('tr[data-id]');
      if (row) fleet.choose(Number(row.dataset.id));
    });
  }

  draw(rows) {
    fill(this.host, rows.map((row) => h('tr', { dataset: { id: row.id, name: row.name } },
      h('td', {}, row.label), h('td', {}, `Pier ${row.pier}`), h('td', {}, `${row.length_m.toFixed(1)} m`))));
  }
}

export class CardView {
  constructor(fleet, host) {
    this.host = host;
    fleet.on('vessel', (vessel) => this.draw(vessel));
  }

  draw(vessel) {
    const photo = h('img', { alt: '', src: `/api/vessels/${vessel.id}/photo`, width: 200 });
    photo.addEventListener('error', () => photo.remove());
    fill(this.host, h('h2', {}, vessel.name), photo, h('p', {}, `Owner: ${vessel.owner}`), h('p', {}, `Engine: ${vessel.engine}`),
      h('p', {}, `MMSI: ${vessel.mmsi}`), h('p', { class: 'muted' }, `Inspected ${vessel.inspected}`));
  }
}
