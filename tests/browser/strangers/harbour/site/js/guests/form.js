import { $, h } from '/js/core/dom.js';

export class Field {
  constructor(input) {
    this.input = input;
    this.hint = h('div', { class: 'hint' });
    input.after(this.hint);
    input.addEventListener('input', () => this.say(''));
  }

  get value() {
    return this.input.type === 'number' ? this.input.valueAsNumber : this.input.value.trim();
  }

  say(text) {
    this.hint.textContent = text;
    this.input.toggleAttribute('aria-invalid', Boolean(text));
  }
}

export class Form {
  constructor(node, submit) {
    this.node = node;
    this.fields = {};
    for (const input of node.querySelectorAll('input[name]')) this.fields[input.name] = new Field(input);
    node.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#busy(true);
      submit(this.values()).then((result) => result?.violations && this.mark(result.violations)).finally(() => this.#busy(false));
    });
  }

  values() {
    return Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, field.value]));
  }

  missing() {
    const empty = Object.values(this.fields).filter((field) => field.input.required && !field.value);
    empty.forEach((field) => field.say('Please fill this in.'));
    return empty.length > 0;
  }

  mark(violations) {
    for (const { field, message } of violations) this.fields[field]?.say(message);
  }

  clear() {
    this.node.reset();
  }

  #busy(on) {
    const button = $('button[type=submit]', this.node);
    button.disabled = on;
    button.textContent = on ? 'Signing in…' : 'Sign in guest';
  }
}
