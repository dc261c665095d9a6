import { h } from '/assets/view.js';

export function courseList(courses) {
  const open = courses.filter((c) => c.status === 'open');
  return h('div', {},
    h('p', { class: 'muted' }, `${open.length} of ${courses.length} courses are open`),
    h('ul', {}, courses.map((c) => h('li', {}, h('strong', {}, c.title), ` – ${c.lecturer}`))));
}
