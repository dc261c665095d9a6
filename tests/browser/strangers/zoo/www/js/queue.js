import { getJSON } from '/lib/http.js';
import { $ } from '/lib/dom.js';
const poll = async () => { $('#wait').textContent = `${(await getJSON('/api/queue')).minutes} minutes at the gate`; };
function follow() {
  const socket = new WebSocket('ws://127.0.0.1:@@NOBODY@@/queue');
  socket.onmessage = (m) => { $('#wait').textContent = m.data + ' minutes at the gate'; };
  socket.onerror = () => { console.info('no live line, asking every two seconds'); poll(); setInterval(poll, 2000); };
}
follow();
