import { h, toast } from '/js/core/dom.js';
import { Scope, quietly } from './scope.js';
import { RosterClient } from './roster-client.js';

/** The panel beside the roster, in which a shift is given to someone. */
export class ShiftPanel {
  constructor(shift, people, bus) {
    this.shift = shift;
    this.people = people;
    this.bus = bus;
    this.scope = new Scope();
    this.client = new RosterClient(this.scope);
  }

  open(host) {
    this.chosen = this.shift.who;
    const choices = this.people.map((name, index) => h('button', { id: `person-${index + 1}`, 'aria-pressed': String(name === this.chosen), dataset: { name } }, name));
    const save = h('button', { id: 'save-shift' }, 'Save');
    const cancel = h('button', { id: 'cancel-shift' }, 'Cancel');
    this.node = h('div', { class: 'panel' }, h('h3', {}, `${this.shift.day}, ${this.shift.slot}`), h('p', {}, 'On watch: ', choices), save, ' ', cancel);
    choices.forEach((choice) => this.scope.listen(choice, 'click', () => this.choose(choice, choices)));
    this.scope.listen(save, 'click', () => this.save());
    this.scope.listen(cancel, 'click', () => this.close());
    this.scope.listen(document, 'keydown', (event) => event.key === 'Escape' && this.close());
    this.scope.onEnd(() => this.node.remove());
    host.replaceChildren(this.node);
  }

  choose(choice, choices) {
    this.chosen = choice.dataset.name;
    choices.forEach((other) => other.setAttribute('aria-pressed', String(other === choice)));
  }

  save() {
    const sent = quietly(this.client.assign(this.shift.id, this.chosen));
    sent.then((answer) => answer && toast(`${answer.who} has the watch`)).finally(() => this.bus.emit('roster:changed'));
    this.slideOut();
  }

  slideOut() {
    this.node.style.cssText = 'transition: transform 240ms, opacity 240ms; transform: translateX(40px); opacity: 0';
    setTimeout(() => this.close(), 250);
  }

  close() {
    this.scope.end();
    this.bus.emit('panel:closed', this.shift.id);
  }
}
