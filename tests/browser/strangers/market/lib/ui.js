const AREAS = [['Shop', '/shop/browse'], ['Sell', '/seller/listing'], ['Chat', '/chat/inbox'], ['Account', '/account/orders'], ['Dashboard', '/dashboard/overview']];

export const $ = (selector, root = document) => root.querySelector(selector);

export function el(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

export function list(target, rows, draw, nothing) {
  target.replaceChildren(...(rows.length ? rows.map((row) => el('li', {}, draw(row))) : [el('li', { className: 'empty' }, nothing)]));
}

export const money = (cents) => new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' }).format(cents / 100);

class MarketHeader extends HTMLElement {
  connectedCallback() {
    this.replaceChildren(el('strong', {}, 'Tradewind'), ...AREAS.map(([name, href]) => el('a', { href }, name)));
  }
}
customElements.define('market-header', MarketHeader);
