import { api, optional } from '/assets/lib/api.js';
import { $, say } from '/assets/lib/dom.js';
import { Feed } from './feed.js';
import { QuoteBoard } from './board.js';

const STATES = { live: 'Live', connecting: 'Connecting …', closed: 'The hall is closed' };

const board = new QuoteBoard($('#quotes tbody'));
const feed = new Feed('/api/market/stream');

feed.addEventListener('state', ({ detail }) => say(STATES[detail], '#state'));
feed.addEventListener('quote', ({ detail }) => {
  board.quote(detail);
  say(`last quote ${new Date().toLocaleTimeString('en-GB')}`, '#last');
});

const [{ rows }, hours, parking] = await Promise.all([
  api.get('/api/market/board'),
  api.get('/api/market/hours'),
  optional(api.get('/api/market/parking')),
]);
board.rows(rows);
$('#hours').textContent = `${hours.opens} to ${hours.closes}${parking ? `, ${parking.free} places to park` : ''}`;
feed.open();
addEventListener('pagehide', () => feed.close());
