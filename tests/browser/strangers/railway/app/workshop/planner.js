import { h } from '/lib/dom.js';
import { workshop } from './data.js';

export class InspectionPlanner extends HTMLElement {
  #tracks = [];
  #crew = [];

  async connectedCallback() {
    [this.#crew, this.#tracks] = await Promise.all([workshop.crew(), workshop.tracks()]);
    this.append(h('p', { class: 'small' }, `On duty: ${this.#crew.join(', ')}`));
  }

  plan(vehicle) {
    const free = this.#tracks.find(track => track.freeFrom <= vehicle.due);
    this.replaceChildren(
      h('h2', {}, `Inspection of ${vehicle.no}`),
      h('p', {}, free ? `Track ${free.no}, from ${free.freeFrom}` : `No workshop track is free before ${vehicle.due}.`),
      h('button', { id: 'book', disabled: !free }, 'Book the inspection'));
  }
}
