import { $, el, list } from '/lib/ui.js';
import '/lib/metrics.js';
import { ask } from './wishes.js';

function wish({ name, art }) {
  const image = el('img', { alt: '', src: `/account/art/${art}.svg`, width: 16 });
  image.addEventListener('error', () => image.remove(), { once: true });
  return el('span', {}, image, ` ${name}`);
}

console.warn('[wishlist] sharing is switched off for this account');
const [{ wishes }, { alerts }] = await Promise.all([ask('/api/wishlist'), ask('/api/wishlist/alerts')]);
list($('#wishes'), wishes, wish, 'No wishes yet');
list($('#alerts'), alerts, (text) => text, 'No alerts');
