import { el, program } from './tiny.js';
import { arrivals, departures, summary } from './source.js';

function Row({ row }) {
  return el('tr', null, el('td', null, row.time), el('td', null, row.name), el('td', null, row.port), el('td', null, row.berth));
}

function Board({ title, rows, none }) {
  return el('section', { class: 'panel' }, el('h2', null, title), rows === null
    ? el('p', { class: 'muted' }, 'Loading…')
    : rows.length === 0
      ? el('p', { class: 'muted' }, none)
      : el('table', null, el('tbody', null, rows.map((row) => el(Row, { row })))));
}

function view(model) {
  const { totals } = model;
  return el('div', null,
    el('p', null, totals ? `${totals.guestNights} nights of guests this month, ${totals.departing} ships leave today` : '…'),
    el(Board, { title: 'Arriving', rows: model.arriving, none: 'No arrivals are expected today.' }),
    el(Board, { title: 'Leaving', rows: model.leaving, none: 'Nobody leaves today.' }));
}

program({
  host: document.getElementById('boards'),
  model: { arriving: null, leaving: null, totals: null },
  view,
  start(dispatch) {
    arrivals().then((arriving) => dispatch({ arriving }));
    departures().then((leaving) => dispatch({ leaving }));
    summary().then((totals) => dispatch({ totals }));
    fetch('/api/arrivals/ads?slot=side').then((answer) => {
      if (answer.status === 404) console.warn('board: no partner for slot "side"');
    });
  },
});
