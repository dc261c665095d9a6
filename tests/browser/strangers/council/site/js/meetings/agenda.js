import { view } from './viewer.js';
import { day, clock, plural } from '/lib/format.js';

const box = document.querySelector('#meetings');
class Meetings {
  static async load() {
    const list = await (await fetch('/api/meetings')).json();
    const withAgenda = await Promise.all(list.map(async (m) => {
      const answer = await fetch(`/api/meetings/${m.ref}/agenda`);
      return { ...m, agenda: answer.status === 404 ? null : await answer.json() };
    }));
    return new Meetings(withAgenda);
  }
  constructor(list) { this.list = list; }
  draw() {
    box.replaceChildren(...this.list.map((m) => {
      const el = document.createElement('div');
      el.className = 'card';
      const publicItems = m.agenda?.items.filter((i) => i.public) ?? [];
      el.innerHTML = `<b>${m.body}</b>, ${day(m.at)}, ${clock(m.at)} – ${m.agenda ? plural(publicItems.length, 'public item') : 'the agenda follows a week before the meeting'}`;
      if (m.agenda) {
        const list = document.createElement('ol');
        list.append(...publicItems.map((i) => Object.assign(document.createElement('li'), { textContent: i.title })));
        const button = Object.assign(document.createElement('button'), { id: `open-${m.ref}`, textContent: 'Papers' });
        button.onclick = async () => { console.info('papers shown as', await view(document.querySelector('#viewer'), m.agenda.papers)); };
        el.append(list, button);
      }
      return el;
    }));
  }
}
(await Meetings.load()).draw();
