import { h, fill, money } from '/assets/lib/dom.js';

export const amount = (value) => (Number.isFinite(value) ? money.format(value) : '-');

export function lines(body, cart) {
  fill(body, cart.lines.map((line) => h('tr', {},
    h('td', {}, line.name), h('td', {}, String(line.qty)), h('td', {}, amount(line.price)), h('td', {}, amount(line.goods)))));
}

export function summary(nodes, cart) {
  nodes.goods.textContent = amount(cart.goods);
  nodes.total.textContent = amount(cart.total);
  nodes.order.disabled = !cart.orderable;
  nodes.hint.textContent = cart.orderable ? '' : `The smallest order is ${amount(cart.minimum)}.`;
}
