import { h, mount } from '/assets/view.js';
import { MEDIA_HOST, APP_VERSION } from './config.js';

async function showLesson(id) {
  const response = await fetch(`/lakeside/api/lessons/${id}`);
  const { lesson } = await response.json();
  mount('#lesson', h('h2', {}, lesson.title), h('p', {}, lesson.summary));
}

async function showVideos(id) {
  try {
    const response = await fetch(`${MEDIA_HOST}/media/lakeside/lessons/${id}/videos`, {
      headers: { Accept: 'application/json', 'X-Client-Version': APP_VERSION },
    });
    const { videos } = await response.json();
    mount('#videos', h('ul', {}, videos.map((v) => h('li', {}, `${v.title} (${Math.round(v.seconds / 60)} min)`))));
  } catch (error) {
    console.warn('videos', error);
    mount('#videos', h('p', { class: 'error' }, 'Videos are not available right now.'));
  }
}

const id = Number(location.pathname.split('/').pop());
showLesson(id);
showVideos(id);
