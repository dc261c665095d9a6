import { api } from '/assets/api.js';
import { h, mount, notify } from '/assets/view.js';

async function load() {
  const { lessons } = await api('/courses/11/lessons');
  const done = lessons.filter((l) => l.completed).length;
  document.querySelector('#summary').textContent = `${done} of ${lessons.length} lessons completed`;
  mount('#lessons', lessons.map((l) => h('li', {},
    `${l.title} (${l.minutes} min) `,
    l.completed ? h('em', {}, 'completed') : h('button', { 'data-lesson': l.id, onclick: () => complete(l) }, 'Mark as completed'))));
}

async function complete(lesson) {
  await api(`/lessons/${lesson.id}/progress`, { method: 'PUT', body: { completed: true } });
  notify('Your progress was saved.');
  await load();
}

load();
