import { $, say } from '/shared/ui.js';
import { ask, pause } from '/shared/http.js';

const worker = new Worker('/thesis/digest.worker.js');
const waiting = new Map();
worker.onmessage = ({ data }) => { waiting.get(data.nr)(data.digest); waiting.delete(data.nr); };
const digest = (nr, bytes) => new Promise((done) => { waiting.set(nr, done); worker.postMessage({ nr, bytes }); });

async function part(deposit, nr, bytes) {
  const sum = await digest(nr, bytes);
  for (let turn = 1; ; turn++) {
    const answer = await fetch(`/api/thesis/deposits/${deposit}/${nr}`, { method: 'PUT', body: bytes, headers: { Digest: `fnv=${sum}` } });
    if (answer.ok) return;
    console.error(`part ${nr}: ${answer.status} ${answer.statusText}, turn ${turn}`);
    if (turn === 3) throw new Error(`part ${nr}`);
    await pause(300 * turn);
  }
}
async function seal(deposit) {
  for (let turn = 0; turn < 5; turn++) {
    try { return await ask(`/api/thesis/deposits/${deposit}/seal`, { method: 'POST', json: { title: $('#title').value } }); } catch (e) {
      if (e.status !== 425) throw e;
      await pause(e.wait * 700);
    }
  }
  throw new Error('not sealed');
}
$('#go').onclick = async () => {
  const all = new TextEncoder().encode($('#text').value);
  $('#go').disabled = true;
  try {
    const { deposit, part: size } = await ask('/api/thesis/deposits', { method: 'POST', json: { bytes: all.length } });
    for (let at = 0, nr = 0; at < all.length; at += size, nr++) {
      await part(deposit, nr, all.slice(at, at + size));
      $('#bar').value = Math.min(1, (at + size) / all.length);
    }
    say('Checking…');
    const { receipt } = await seal(deposit);
    say(`Deposited. Your receipt is ${receipt}.`);
  } catch (e) {
    console.error(e);
    say('The deposit was interrupted. Please start again.');
    $('#go').disabled = false;
  }
};
