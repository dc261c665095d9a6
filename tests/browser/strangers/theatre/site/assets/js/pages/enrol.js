import { api, HttpError } from '../shared/client.js';
import { Emitter } from '../shared/emitter.js';
import { log } from '../shared/log.js';

/** A form that says beside each field what is the matter with it. */
class Form extends Emitter {
  constructor(el) {
    super();
    this.el = el;
    this.el.noValidate = true;
    this.el.addEventListener('submit', (event) => {
      event.preventDefault();
      this.send();
    });
  }

  get values() { return Object.fromEntries(new FormData(this.el)); }

  busy(on) {
    this.el.querySelector('button').disabled = on;
    this.el.querySelector('button').textContent = on ? 'Sending ...' : 'Enrol';
  }

  clear() { this.el.querySelectorAll('.hint').forEach((hint) => { hint.textContent = ''; }); }

  hints(errors) {
    for (const [name, text] of Object.entries(errors)) {
      const field = this.el.elements[name];
      if (!field) continue;
      field.closest('label').querySelector('.hint').textContent = text;
    }
  }

  missing() {
    const errors = {};
    for (const name of ['first', 'last', 'phone']) if (!this.values[name]) errors[name] = 'Please fill in.';
    return errors;
  }

  async send() {
    this.clear();
    const missing = this.missing();
    if (Object.keys(missing).length) return this.hints(missing);
    this.busy(true);
    try {
      this.emit('done', await enrol(this.values));
    } catch (error) {
      if (error instanceof HttpError && error.status === 422) this.hints(error.payload.errors || {});
      else this.emit('problem', error);
    } finally {
      this.busy(false);
    }
    return undefined;
  }
}

function enrol({ first, last, phone, level }) {
  return api.post('/workshops/7/enrolments', { level, participant: { name: `${first} ${last}`, phone } });
}

const form = new Form(document.querySelector('#enrol'));
form.on('done', ({ enrolment }) => {
  form.el.hidden = true;
  document.querySelector('#done').textContent = `Thank you! Your number is ${enrolment}.`;
});
form.on('problem', (error) => {
  log.warn('enrol', error);
  document.querySelector('#done').textContent = 'That did not work. Please call us.';
});

api.get('/workshops/7').then((workshop) => {
  document.querySelector('h1').textContent = workshop.title;
  document.querySelector('#dates').textContent = `${workshop.dates.join(', ')}; ${workshop.places} places are left`;
});
fetch('/api/workshops/7/photo').then((r) => { if (!r.ok) log.note('no photo'); });
