import { get } from '../lib/http.js';

let asked;

/** The pass with which the desk's sockets are opened. */
export function pass() {
  asked ??= get('/museum/api/desk/pass').then((answer) => answer.pass);
  return asked;
}

export async function open(name, onMessage, onEnd) {
  const url = new URL(`/museum/live/${name}`, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  url.searchParams.set('pass', await pass());
  const socket = new WebSocket(url);
  socket.addEventListener('message', (event) => onMessage(JSON.parse(event.data)));
  socket.addEventListener('close', () => onEnd?.());
  return socket;
}
