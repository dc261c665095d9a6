import { h } from '/lib/nano.js';

export function OfficePicker({ offices, selected, onPick }) {
  return h('div', { class: 'offices' }, offices.map((o) =>
    h('button', { id: 'office-' + o.id, class: 'plain', 'aria-pressed': String(o.id === selected), onclick: () => onPick(o.id) }, o.name)));
}

export function SlotList({ slots, busy }) {
  if (busy) return h('p', { class: 'muted' }, 'Looking for free appointments…');
  if (!slots.length) return h('p', { class: 'muted' }, 'No free appointments this week.');
  return h('ul', { class: 'plain' }, slots.map((s) => h('li', null, `${s.day} ${s.time} - ${s.room}, ${s.officeName}`)));
}
