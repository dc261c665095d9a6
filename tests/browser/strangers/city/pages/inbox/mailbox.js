import { api } from '/lib/api.js';
import { Emitter } from './emitter.js';

export class Mailbox extends Emitter {
  constructor() {
    super();
    this.messages = [];
    this.cursor = 0;
  }

  async poll() {
    const page = await api(`/api/inbox/messages?after=${this.cursor || 0}`);
    this.cursor = page.nextCursor;
    if (!page.messages.length) return;
    this.messages.push(...page.messages);
    this.emit('change', this.messages);
  }

  start(every) {
    this.poll();
    this.timer = setInterval(() => this.poll(), every);
  }
}
