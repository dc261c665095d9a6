import { api } from '/js/core/api.js';
import { $, h, fill, toast } from '/js/core/dom.js';
import { Form } from './form.js';

async function reload() {
  const { guests } = await api.get('/guests');
  fill($('#guests'), guests.map((guest) => h('tr', {}, h('td', {}, guest.name), h('td', {}, guest.vessel), h('td', {}, `${guest.nights} nights`))));
}

async function signIn(values) {
  if (form.missing()) return undefined;
  try {
    await api.post('/guests', values);
  } catch (error) {
    if (error.status === 422) return error.body;
    toast('The guest book cannot be reached.');
    return undefined;
  }
  form.clear();
  toast(`Welcome, ${values.name}`);
  return reload();
}

const form = new Form($('#guest-form'), signIn);

async function hints() {
  try {
    const { names } = await api.get('/guests/hints');
    fill($('#known'), names.map((name) => h('option', { value: name })));
  } catch (error) {
    console.warn('guest book: no hints', error.status);
  }
}

reload();
hints();
