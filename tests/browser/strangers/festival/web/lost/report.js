import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';
import { visitor } from './visitor.js';

function reporter(form) {
  const fields = () => Object.fromEntries(new FormData(form));

  async function keep() {
    const answer = await fetch('/api/lost/reports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ visitor: visitor(), ...fields() }),
    });
    const { ref } = await answer.json();
    sessionStorage.setItem('lost.ref', ref);
  }

  return {
    submit(event) {
      event.preventDefault();
      $('#send').disabled = true;
      keep().catch(() => {});
      location.assign('/lost/done/');
    },
  };
}

const form = $('#report');
form.addEventListener('submit', reporter(form).submit);

const { found } = await getJson('/api/lost/recent');
$('#recent').replaceChildren(...found.map(thing => h('li', {}, `${thing.what} (${thing.where})`)));
