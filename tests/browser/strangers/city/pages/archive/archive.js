import { api, ApiError } from '/lib/api.js';

const list = document.querySelector('#list');
const detail = document.querySelector('#detail');

async function appealOf(ref) {
  try {
    return await api(`/api/archive/requests/${ref}/appeal`);
  } catch (err) {
    if (err instanceof ApiError && err.status === 404) return null;
    throw err;
  }
}

async function open(request) {
  const appeal = await appealOf(request.ref);
  detail.textContent = appeal ? `Appeal of ${appeal.date}` : `${request.title}: nobody has appealed.`;
}

const { requests } = await api('/api/archive/requests');
for (const r of requests) {
  const li = document.createElement('li');
  const b = document.createElement('button');
  b.className = 'plain';
  b.id = 'open-' + r.ref;
  b.textContent = r.title;
  b.onclick = () => open(r);
  li.append(b);
  list.append(li);
}

// the server ends the stream now and then, and the browser comes back
const source = new EventSource('/api/archive/events');
source.onmessage = (ev) => { document.querySelector('#last').textContent = JSON.parse(ev.data).text; };
