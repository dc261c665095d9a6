import { mount } from '/assets/view.js';
import { currentUser } from './session.js';
import { coursesOf } from './courses-service.js';
import { courseList } from './course-list.js';

async function start() {
  const user = await currentUser();
  document.querySelector('#hello').textContent = `Signed in as ${user.name}`;
  const courses = await coursesOf(user.orgId);
  mount('#courses', courseList(courses));
}

start();
