import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { Quotes } from './quote.js';

const quotes = new Quotes();
const [{ slots }, card] = await Promise.all([http.get('/api/adverts/slots'), http.get('/api/adverts/ratecard')]);
let chosen = null;

async function quote() {
  if (!chosen) return;
  $('#book').disabled = true;
  $('#price').textContent = 'calculating…';
  const price = await quotes.price(chosen, $('#colour').checked, card);
  $('#price').textContent = `€ ${price.toFixed(2)}`;
  $('#book').disabled = false;
}
fill('#slots', slots.map((slot) => h('button', { id: `slot-${slot.id}`, onclick: () => { chosen = slot; quote(); } }, slot.name)));
$('#colour').addEventListener('change', quote);
