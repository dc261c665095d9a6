import { api } from '/js/core/api.js';
import { $, h, fill } from '/js/core/dom.js';

/** Calls come by socket where there is one, and are asked for where there is none. */
class SocketSource {
  start(onCalls) {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws/board');
      socket.onopen = () => resolve(socket);
      socket.onerror = () => reject(new Error('no socket'));
      socket.onmessage = ({ data }) => onCalls(JSON.parse(data).calls);
    });
  }
}

class AskingSource {
  constructor(every) {
    this.every = every;
  }

  async start(onCalls) {
    const turn = async () => {
      onCalls((await api.get('/board')).calls);
      setTimeout(turn, this.every);
    };
    await turn();
  }
}

const heard = [];

function show(calls) {
  fill($('#calls'), calls.map((call) => h('tr', {}, h('td', {}, `Channel ${call.channel}`), h('td', {}, call.vessel), h('td', {}, call.note))));
  heard.unshift(`${new Date().toLocaleTimeString('en-GB')} ${calls.length} calls`);
  heard.length = Math.min(heard.length, 5);
  fill($('#heard'), heard.map((line) => h('li', {}, line)));
}

async function begin() {
  for (const source of [new SocketSource(), new AskingSource(1500)]) {
    try {
      await source.start(show);
      $('#state').textContent = 'Listening';
      return;
    } catch {
      console.info(`radio: ${source.constructor.name} is not available, the next one`);
    }
  }
}

begin();
