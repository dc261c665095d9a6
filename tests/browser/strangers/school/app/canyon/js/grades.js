import { api } from '/assets/api.js';
import { h, mount } from '/assets/view.js';
import { average, credits } from './figures.js';

const { student, grades } = await api('/grades');

mount('#grades',
  h('h2', {}, student),
  h('table', {},
    h('thead', {}, h('tr', {}, h('th', {}, 'Course'), h('th', {}, 'Score'), h('th', {}, 'ECTS'))),
    h('tbody', {}, grades.map((g) => h('tr', {}, h('td', {}, g.course), h('td', {}, `${g.score} %`), h('td', {}, g.ects)))),
    h('tfoot', {}, h('tr', {}, h('th', {}, 'Average'), h('th', {}, `${average(grades).toFixed(1)} %`), h('th', {}, credits(grades))))));
