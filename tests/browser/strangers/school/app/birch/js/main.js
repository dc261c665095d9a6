import { api } from '/assets/api.js';
import { h, mount } from '/assets/view.js';
import { coursesOf } from './courses-service.js';
import { courseList } from './course-list.js';

function avatar(user) {
  const img = h('img', { alt: '', width: 32, height: 32, src: user.avatar });
  img.addEventListener('error', () => img.replaceWith(h('b', {}, user.name[0])), { once: true });
  return img;
}

async function start() {
  const { user } = await api('/me');
  const preferences = (await api('/me/preferences', { optional: true })) ?? { compact: false };
  if (!preferences.compact) document.body.classList.add('roomy');
  mount('#hello', avatar(user), ` Signed in as ${user.name}`);
  console.warn('[courses] compact view is deprecated and will be removed in 3.0');
  mount('#courses', courseList(await coursesOf(user.org_id)));
}

start();
