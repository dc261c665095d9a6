import { Api, ApiError } from '/js/core/api.js';
import { $, h, fill, toast } from '/js/core/dom.js';

class SessionApi extends Api {
  #renewing = null;

  get token() {
    return sessionStorage.getItem('desk:token') ?? 't-0';
  }

  renew() {
    this.#renewing ??= super.send('POST', '/token').then(({ token }) => sessionStorage.setItem('desk:token', token))
      .finally(() => { this.#renewing = null; });
    return this.#renewing;
  }

  async send(method, path, options = {}) {
    const signed = () => super.send(method, path, { ...options, headers: { Authorization: `Bearer ${this.token}` } });
    try {
      return await signed();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      await this.renew();
      return signed();
    }
  }
}

const desk = new SessionApi({ base: '/api/desk' });
const done = new Set();

function line(task) {
  const box = h('button', { id: `done-${task.id}`, onclick: () => finish(task) }, 'Done');
  return h('li', {}, task.text, ' ', done.has(task.id) ? h('em', {}, 'finished') : box);
}

async function draw() {
  const { tasks } = await desk.get('/tasks');
  fill($('#tasks'), tasks.map(line));
  $('#state').textContent = `${tasks.length - done.size} to do`;
}

async function finish(task) {
  await desk.post(`/tasks/${task.id}/done`);
  done.add(task.id);
  toast(`Finished: ${task.text}`);
  await draw();
}

draw();
