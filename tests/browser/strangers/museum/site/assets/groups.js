import { $ } from './lib/dom.js';
import { get, post } from './lib/http.js';
import { values } from './lib/forms.js';

const form = $('#group');

function say(text) {
  $('#result').hidden = false;
  $('#result').textContent = text;
}

const isFree = async (date) => (await get(`/museum/api/groups/free?date=${encodeURIComponent(date)}`)).free;

async function onSubmit(event) {
  const wanted = values(form);
  if (!(await isFree(wanted.date))) {
    event.preventDefault();
    return say('All guides are taken on this day.');
  }
  event.preventDefault();
  const { reference } = await post('/museum/api/groups', wanted);
  return say(`Thank you. We have noted your visit as ${reference}.`);
}

form.addEventListener('submit', onSubmit);
