import { h } from '/lib/dom.js';
import { workshop } from './data.js';

export class VehicleList extends HTMLElement {
  async connectedCallback() {
    const vehicles = await workshop.vehicles();
    this.replaceChildren(h('table', {}, vehicles.map(v => h('tr', {},
      h('td', {}, v.no), h('td', {}, `${v.km} km`), h('td', {}, `due ${v.due}`),
      h('td', {}, h('button', { onclick: () => this.#choose(v) }, 'Choose'))))));
  }

  #choose(vehicle) {
    document.querySelector('inspection-planner').plan(vehicle);
  }
}
