import { api } from '/assets/api.js';
import { h, mount, notify } from '/assets/view.js';

async function renderCourses() {
  const { courses } = await api('/courses');
  mount('#courses', h('ul', {}, courses.map((c) => h('li', {},
    h('strong', {}, c.title), ` – ${c.lecturer}, ${c.places} places `,
    c.status === 'open' && h('button', { class: 'enrol', 'data-course': c.id }, 'Enrol')))));
}

function wireButtons() {
  for (const button of document.querySelectorAll('button.enrol')) {
    button.addEventListener('click', async () => {
      button.disabled = true;
      await api('/enrolments', { method: 'POST', body: { course_id: Number(button.dataset.course) } });
      notify('You are enrolled.');
    });
  }
}

renderCourses();
wireButtons();
