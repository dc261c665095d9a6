import { getJson } from '/assets/lib/http.js';
import { $ } from '/assets/lib/dom.js';

document.addEventListener('pass', ({ detail }) => { $('#holder').textContent = `${detail.holder}, ${detail.level} pass`; });
getJson('/api/press/contacts').then(({ desk, phone }) => { $('#contacts').textContent = `${desk}, ${phone}`; });
