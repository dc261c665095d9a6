import { Mailbox } from './mailbox.js';

class MailView {
  constructor(root, mailbox) {
    this.root = root;
    mailbox.on('change', (messages) => this.render(messages));
  }

  render(messages) {
    this.root.replaceChildren(...messages.map((m) => this.row(m)));
    document.querySelector('#count').textContent = `${messages.length} messages`;
  }

  row(m) {
    const li = document.createElement('li');
    li.textContent = `${m.from}: ${m.subject}`;
    return li;
  }
}

const mailbox = new Mailbox();
new MailView(document.querySelector('#list'), mailbox);
mailbox.start(1000);
