import { h } from '/lib/dom.js';

export class Tip {
  constructor(anchor, photo) {
    this.anchor = anchor;
    this.node = h('div', { className: 'tip' }, h('strong', {}, photo.caption), h('p', {}, `Photo: ${photo.by}`),
      h('p', {}, `ISO ${photo.iso}`));
    document.body.append(this.node);
    anchor.addEventListener('mouseenter', () => this.place(true));
    anchor.addEventListener('mouseleave', () => this.place(false));
    window.addEventListener('resize', () => this.place(false));
  }
  place(shown) {
    const { left, bottom } = this.anchor.getBoundingClientRect();
    Object.assign(this.node.style, { left: `${left}px`, top: `${bottom}px`, visibility: shown ? 'visible' : 'hidden' });
  }
}
