import { http } from '/lib/http.js';
import { $ } from '/lib/dom.js';
import { createScope } from './scope.js';

export function createPanel({ onDone }) {
  const scope = createScope();
  const dialog = $('#panel');
  let duty = null;

  function close() {
    dialog.hidden = true;
    duty = null;
    scope.end();
  }

  function open(next) {
    duty = next;
    $('#panel-title').textContent = `Give away ${duty.flight} on ${duty.day}`;
    dialog.hidden = false;
  }

  $('#cancel').addEventListener('click', close);
  $('#send').addEventListener('click', () => {
    http.post('/api/crew/swaps', { duty: duty.id, flight: duty.flight, note: $('#note').value }, { signal: scope.signal })
      .then(onDone)
      .catch((error) => { if (error.name !== 'AbortError') throw error; });
    close();
  });
  return { open, close };
}
