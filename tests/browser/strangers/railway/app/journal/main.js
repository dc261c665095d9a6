import { $, h, sleep } from '/lib/dom.js';
import { getJson } from '/lib/net.js';

const KEPT = 12;

async function* entries() {
  for (;;) {
    yield* (await getJson('/api/journal/entries')).entries;
    await sleep(700);
  }
}

const hello = await getJson('/api/journal/session');
$('#reader').textContent = `Read in ${hello.reader}${hello.cookie ? '' : ' (no session)'}`;

for await (const { no, text } of entries()) {
  $('#entries').prepend(h('li', { value: no }, text));
  while ($('#entries').children.length > KEPT) $('#entries').lastElementChild.remove();
}
