import { el, fill } from './ui.js';

// Buttons for pages; nothing when all is on one page.
export function pager(target, { page, size, total, go }) {
  const pages = Math.ceil(total / size);
  if (pages <= 1) return fill(target, []);
  fill(target, Array.from({ length: pages }, (_, i) =>
    el('button', { onclick: () => go(i + 1), disabled: i + 1 === page }, String(i + 1))));
}

export const rangeOf = ({ page, size, total, shown }) =>
  (shown ? `${(page - 1) * size + 1}–${(page - 1) * size + shown} of ${total || shown}` : 'No invoices');
