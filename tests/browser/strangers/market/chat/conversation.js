import { $, el } from '/lib/ui.js';

export class Conversation {
  constructor(thread, bus) {
    this.thread = thread;
    this.bus = bus;
  }
  open() {
    $('#name').textContent = this.thread.name;
    $('#messages').replaceChildren();
    this.thread.messages.forEach((message) => this.add(message));
    this.bus.on('message', (message) => {
      if (message.thread === this.thread.id && $('#name').textContent === this.thread.name) this.add(message);
    });
  }
  add(message) {
    $('#messages').append(el('li', {}, `${message.from}: ${message.text}`));
  }
}
