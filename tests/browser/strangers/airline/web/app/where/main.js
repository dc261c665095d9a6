import { $, h, fill } from '/lib/dom.js';
import '/lib/pulse.js';
import { createSuggest } from './suggest.js';

const suggest = createSuggest((places) => fill($('#places'), places.map((name) => h('li', {}, name))));
$('#q').addEventListener('input', () => suggest($('#q').value));
$('#q').addEventListener('focus', () => suggest($('#q').value));
suggest('');
try {
  localStorage.setItem('where.last', 'Bergen');
  JSON.parse(localStorage.getItem('where.last'));
} catch (error) {
  console.warn('where: the last search was kept in the old way, beginning anew', error.message);
}
