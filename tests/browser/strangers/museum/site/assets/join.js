import { $ } from './lib/dom.js';
import { get, post } from './lib/http.js';
import { values, clearNotes, showErrors, busy } from './lib/forms.js';

const form = $('#join');

function membership({ name, email, street, postcode }) {
  return { plan: 'friend', name, email, address: { street, postcode } };
}

async function send() {
  clearNotes(form);
  try {
    const { number } = await post('/museum/api/memberships', membership(values(form)));
    form.hidden = true;
    $('#welcome').hidden = false;
    $('#welcome').textContent = `Welcome! Your number is ${number}.`;
  } catch (error) {
    if (error.status === 422) showErrors(form, error.body.errors);
    else $('#plans').textContent = 'We cannot take your membership at the moment.';
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  busy($('#send'), send);
});

get('/museum/api/membership-plans').then((plans) => {
  $('#plans').textContent = plans.map((plan) => `${plan.name}: € ${plan.price} a year`).join(' · ');
});
