import { $, h, fill } from '/js/core/dom.js';
import { office } from './client.js';
import { pumps, brand } from './pumps.js';

const litres = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

function row(name, price, stock) {
  return h('tr', {}, h('td', {}, name), h('td', {}, price ? `${euros.format(price)} / l` : '–'), h('td', {}, stock ? `${litres.format(stock)} l` : '–'));
}

async function draw() {
  const state = await pumps();
  const sign = $('#sign');
  sign.textContent = state.open ? 'The pumps are open.' : 'The fuel dock is closed.';
  sign.classList.toggle('hint', !state.open);
  fill($('#prices'), row('Diesel', state.prices.diesel, state.stock?.diesel), row('Petrol', state.prices.petrol, state.stock?.petrol));
  $('#order').disabled = !state.open;
}

function order(event) {
  event.preventDefault();
  $('#said').textContent = `${$('#litres').value} l are kept for you until the evening.`;
}

async function hours() {
  const { open, close } = await office.get('/hours');
  $('#hours').textContent = `Daily ${open} – ${close}`;
}

$('#order-form').addEventListener('submit', order);
draw();
hours();
brand().then((name) => { $('#brand').textContent = name; }, () => {});
setTimeout(draw, 4000);
