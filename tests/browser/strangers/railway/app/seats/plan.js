import { h } from '/lib/dom.js';

export const planOf = (coach, free, choose) => h('div', {},
  h('h2', {}, `Coach ${coach}`),
  free.map(seat => h('span', { class: 'seat', onclick: () => choose(seat) }, String(seat))));
