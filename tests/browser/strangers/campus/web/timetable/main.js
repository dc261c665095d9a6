import { $, el } from '/shared/ui.js';
import { ask } from '/shared/http.js';
import { lines } from './stream.js';

const DAYS = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri'];
const clock = (m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`;
let week = Number(localStorage.getItem('timetable.week') ?? 7);
let running;
const mine = ask('/api/timetable/groups').then((list) => new Set(list));

async function load() {
  running?.abort('another week');
  const own = (running = new AbortController());
  $('#week').textContent = `Week ${week}`;
  localStorage.setItem('timetable.week', week);
  $('#rows').replaceChildren();
  $('#sum').textContent = 'Loading…';
  try {
    const [groups, response] = await Promise.all([mine, fetch(`/api/timetable/sessions?week=${week}`, { signal: own.signal })]);
    let shown = 0;
    for await (const row of lines(response)) {
      if (row.end) break;
      if (!groups.has(row.g)) continue;
      shown++;
      $('#rows').append(el('tr', {}, el('td', { textContent: DAYS[row.d] }), el('td', { textContent: `${clock(row.m)}–${clock(row.m + row.l)}` }), el('td', { textContent: row.c })));
    }
    $('#sum').textContent = `${shown} sessions of your groups ${[...groups].join(', ')}.`;
  } catch (error) {
    if (own.signal.aborted) return console.warn('timetable: question given up:', own.signal.reason);
    $('#sum').textContent = 'The timetable cannot be shown at the moment. Please try again.';
    throw error;
  }
}
$('#next').onclick = () => { week++; load(); };
$('#prev').onclick = () => { week--; load(); };
load();
// the week of the last visit first, then the one it is now
ask('/api/timetable/now').then((now) => { if (now.week !== week) { week = now.week; load(); } });
