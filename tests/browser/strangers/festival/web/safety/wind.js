import { on } from '/assets/lib/bus.js';
import { $, h } from '/assets/lib/dom.js';

export function windPanel(masts) {
  const log = $('#log');
  on('reading', ({ mast, wind }) => {
    if (masts.includes(mast)) log.prepend(h('li', {}, `${mast}: ${wind} km/h`));
  });
  return h('p', { className: 'card' }, `Masts: ${masts.join(', ')}`);
}
