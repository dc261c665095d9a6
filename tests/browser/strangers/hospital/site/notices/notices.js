const token = { now: 'first' };

async function ask(path) {
  const once = () => fetch(path, { headers: { Authorization: `Bearer ${token.now}` } });
  let answer = await once();
  if (answer.status === 401) {
    token.now = (await (await fetch('/api/token', { method: 'POST' })).json()).token;
    answer = await once();
  }
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const list = document.getElementById('notices');
const add = ({ title }) => list.append(Object.assign(document.createElement('li'), { textContent: title }));
(await ask('/api/notices')).forEach(add);

const live = new EventSource('/api/notices/stream');
live.onmessage = (event) => add(JSON.parse(event.data));
live.onerror = () => console.warn('notices: connection ended, the browser opens it again');
