class ProposalForm {
  constructor(form, client) {
    this.form = form;
    this.client = client;
    this.key = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
    this.status = form.querySelector('[data-status]');
    form.addEventListener('submit', event => { event.preventDefault(); this.submit(); });
    form.addEventListener('input', () => this.touched());
  }

  values() {
    const values = Object.fromEntries(new FormData(this.form));
    values.hours = values.hours ? Number(values.hours) : null;
    return values;
  }

  touched() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      try {
        await this.client.saveDraft(this.values());
        this.status.textContent = 'Draft saved';
      } catch {
        console.warn('[proposals] the draft is kept here only');
      }
    }, 250);
  }

  mark(fields) {
    for (const element of this.form.querySelectorAll('[data-for]')) {
      element.textContent = fields[element.dataset.for] ?? '';
    }
  }

  async submit() {
    clearTimeout(this.timer);
    this.mark({});
    this.status.textContent = 'Sending';
    try {
      const made = await this.client.submit(this.values(), this.key);
      this.status.textContent = `Received as ${made.id}. Thank you.`;
      this.form.reset();
    } catch (error) {
      this.mark(error.fields ?? {});
      this.status.textContent = error.status === 422 ? 'Please complete the form' : 'Could not be sent, try later';
    }
  }
}

const client = new ProposalClient('/api/proposals');
new ProposalForm(document.querySelector('#proposal'), client);
client.cycle().then(({ cycle, deadline }) => {
  document.querySelector('#cycle').textContent = `Cycle ${cycle}, until ${deadline}`;
});
fetch('/api/proposals/templates').then(r => r.ok ? r.json() : []).catch(() => []);
