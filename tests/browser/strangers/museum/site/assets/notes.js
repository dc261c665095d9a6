import { $, h } from './lib/dom.js';
import { get, post } from './lib/http.js';
import { tokenHeaders } from './lib/token.js';

const show = (text) => $('#notes').append(h('li', {}, text));

async function keep(text) {
  try {
    const { count } = await post('/museum/api/notes', { text, object: 'terrella' }, { headers: tokenHeaders() });
    show(text);
    $('#text').value = '';
    $('#told').textContent = `Kept: ${count}`;
  } catch {
    $('#told').textContent = 'Your note could not be kept. Are you connected?';
  }
}

$('#note').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = $('#text').value.trim();
  if (text) keep(text);
});

get('/museum/api/notes').then((notes) => notes.forEach(show));
