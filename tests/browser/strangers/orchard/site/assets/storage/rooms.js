import { h } from '/assets/lib/dom.js';

export function levelOf(fill, legend) {
  return [...legend].reverse().find((level) => fill >= level.from)?.name ?? '';
}

export function roomCard(room, legend) {
  return h('div', { class: 'card' },
    h('h2', {}, `Room ${room.id}`),
    h('p', {}, `${room.fruit}, ${room.celsius.toFixed(1)} °C`),
    h('p', { class: 'muted' }, `${room.fill} % - ${levelOf(room.fill, legend)}`));
}
