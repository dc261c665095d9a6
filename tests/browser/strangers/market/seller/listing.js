import { getJson, sendJson } from '/lib/http.js';
import { $ } from '/lib/ui.js';
import '/lib/metrics.js';

class ListingForm {
  constructor(form) {
    this.form = form;
    $('#save', form).addEventListener('click', () => this.save());
  }
  async load() {
    const listing = await getJson('/api/listings/812');
    for (const name of ['title', 'price', 'stock']) this.form.elements[name].value = listing[name];
    $('#note').textContent = 'Loaded';
  }
  async save() {
    const values = Object.fromEntries(new FormData(this.form));
    $('#note').textContent = 'Saving…';
    await sendJson('PUT', '/api/listings/812', values);
    $('#note').textContent = `Saved "${values.title}"`;
  }
}

await new ListingForm($('#listing')).load();
