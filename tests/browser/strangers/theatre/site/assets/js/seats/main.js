import { InventoryGateway, PricingGateway, ViewGateway } from './gateways.js';
import { Hall } from './hall.js';
import { Emitter } from '../shared/emitter.js';
import { log } from '../shared/log.js';

class Basket extends Emitter {
  constructor() { super(); this.seats = []; }
  add(seat) { this.seats.push(seat); this.emit('change', this.seats); }
  get total() { return this.seats.reduce((sum, seat) => sum + seat.price.amount, 0); }
}

class SeatMap {
  constructor(host, basket) {
    this.host = host;
    this.basket = basket;
    this.host.addEventListener('click', (event) => this.pressed(event));
  }

  show(hall) {
    this.hall = hall;
    this.host.replaceChildren(...hall.rows.map((row) => this.row(row)));
    const word = document.querySelector('#summary');
    word.textContent = hall.onSale
      ? `${hall.onSale} seats can be booked for this evening.`
      : 'At the moment no seats of this evening are on sale.';
  }

  row(row) {
    const line = document.createElement('div');
    const label = document.createElement('span');
    label.textContent = `${row.row} `;
    line.append(label);
    for (const seat of row.seats) {
      const cell = document.createElement('span');
      cell.className = `seat ${seat.state}`;
      cell.textContent = seat.no;
      cell.dataset.row = row.row;
      cell.dataset.no = seat.no;
      line.append(cell);
    }
    const price = document.createElement('span');
    price.className = 'muted';
    price.textContent = row.price ? ` ${row.price.amount} ${row.price.currency}` : ' -';
    line.append(price);
    return line;
  }

  pressed(event) {
    const cell = event.target.closest('.seat');
    if (!cell) return;
    const seat = this.hall.toggle(cell.dataset.row, Number(cell.dataset.no));
    if (seat) this.basket.add(seat);
  }
}

async function open(show) {
  const basket = new Basket();
  const map = new SeatMap(document.querySelector('#hall'), basket);
  basket.on('change', () => {
    document.querySelector('#basket').textContent = `${basket.seats.length} seats, ${basket.total} EUR`;
  });
  const views = new ViewGateway();
  views.photo('C').then((photo) => {
    if (!photo) return log.note('no photo of row C');
    document.querySelector('#view').src = photo.src;
  });
  const [inventory, prices] = await Promise.all([
    new InventoryGateway().hall(show),
    new PricingGateway().categories(show),
  ]);
  map.show(new Hall(inventory, prices));
}

open('hamlet').catch((error) => {
  log.warn('seat map', error);
  document.querySelector('#summary').textContent = 'The seat map cannot be shown.';
});
