import { $, h, fill, row } from './lib/dom.js';
import { get, post } from './lib/http.js';

function party() {
  const adults = $('#adults').value || 1;
  const children = $('#children').value || 0;
  return { adults, children, people: adults + children };
}

function tell(text) {
  $('#held').hidden = false;
  $('#held').textContent = text;
}

async function hold(at) {
  try {
    const { minutes } = await post('/museum/api/tickets', { at, ...party() });
    tell(`Your tickets for ${at} are kept for ${minutes} minutes.`);
  } catch (error) {
    tell(error.status === 409 ? `There are no places left at ${at}. Please choose another time.` : 'Please try again in a moment.');
  }
}

const { slots, price } = await get('/museum/api/slots');
$('#price').textContent = price;
fill('#slots', slots.map(({ at, left }) => row(at, `${left} places`,
  h('button', { 'data-slot': at, onclick: () => hold(at) }, 'Take it'))));
