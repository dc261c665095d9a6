import { $, esc } from '/lib/dom.js';
import { take } from './client.js';

const lineRow = ({ no, from, to, every }) =>
  `<tr><td>${esc(no)}<td>${esc(from)} – ${esc(to)}<td>every ${every} minutes`;

take('/api/timetable/lines?season=winter').then(({ lines = [], valid }) => {
  $('#valid').textContent = valid ? `Valid from ${valid}` : '';
  $('#lines').innerHTML = lines.length ? `<table>${lines.map(lineRow).join('')}</table>`
    : '<p class="empty">No lines in this timetable.</p>';
});

take('/api/timetable/holidays').then(({ holidays }) => {
  $('#holidays').textContent = `Sunday service on ${holidays.join(', ')}`;
});
