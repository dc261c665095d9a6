import { $, h, fill, row } from './lib/dom.js';
import { get, post } from './lib/http.js';
import { values } from './lib/forms.js';

async function begin() {
  try {
    const me = await get('/museum/api/me');
    $('#sign-in').hidden = true;
    $('#mine').hidden = false;
    $('#hello').textContent = `Good to see you, ${me.name}. A member since ${me.since}.`;
    const { orders } = await get('/museum/api/me/orders');
    fill('#orders', orders.length ? orders.map(({ id, sum }) => row(id, sum)) : h('p', { class: 'quiet' }, 'You have not ordered anything yet.'));
  } catch (error) {
    if (error.status !== 401) throw error;
    $('#sign-in').hidden = false;
  }
}

$('#sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('#note').textContent = '';
  try {
    await post('/museum/api/sign-in', values(event.target));
    await begin();
  } catch (error) {
    $('#note').textContent = error.status === 401 ? 'Card and password do not go together.' : 'Please try again in a moment.';
  }
});

begin();
