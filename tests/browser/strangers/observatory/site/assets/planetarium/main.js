import { SeatBridge } from './bridge.js';
import { http } from '/assets/lib/http.js';

const settings = {
  picker: 'http://127.0.0.1:@@PARTNER@@/seats',
  partners: ['http://localhost:@@PARTNER@@', 'https://seats.starplace.example'],
  people: 2,
};

const basket = { seats: [], price: 0 };
const frame = document.querySelector('#picker');
const bridge = new SeatBridge(frame, settings.partners);

function draw() {
  const has = basket.seats.length > 0;
  document.querySelector('#chosen').textContent = has ? `Seats ${basket.seats.join(', ')}` : 'No seats chosen';
  document.querySelector('#sum').textContent = `${(basket.seats.length * basket.price).toFixed(2)} €`;
  document.querySelector('#pay').disabled = !has;
}

bridge.addEventListener('ready', () => bridge.send('best', { people: settings.people }));
bridge.addEventListener('chosen', ({ detail }) => {
  basket.seats = detail.seats;
  draw();
  window.obsTelemetry?.track('seats', detail.seats.length);
});

frame.addEventListener('load', () => bridge.send('best', { people: settings.people }));
document.querySelector('#pay').addEventListener('click', () => {
  document.querySelector('#note').textContent = `Paying for ${basket.seats.join(', ')}`;
});

const { show } = await http.get('/api/shows/next');
basket.price = show.price;
document.querySelector('#show').textContent = `${show.title}, ${show.at}`;
draw();
frame.src = settings.picker;
http.get('/api/shows/discounts').catch(error => console.warn('[planetarium] no discounts', error.status));
