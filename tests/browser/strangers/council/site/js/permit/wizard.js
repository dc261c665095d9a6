class PermitWizard {
  #step = 0;
  #data = { works: null, parcel: '', address: null };
  constructor(root, drafts) {
    this.root = root;
    this.drafts = drafts;
    root.addEventListener('click', (e) => this.onClick(e));
    root.addEventListener('input', (e) => {
      if (e.target.name === 'parcel') { this.#data.parcel = e.target.value.trim(); this.#data.address = null; this.sync(); }
      if (e.target.name === 'works') { this.#data.works = e.target.value; this.sync(); this.drafts.keep(this.#data); }
    });
    this.render();
  }

  get ready() { return [!!this.#data.works, !!this.#data.address, true][this.#step]; }

  sync() {
    const next = this.root.querySelector('[data-do=next]');
    if (next) next.disabled = !this.ready;
  }

  render() {
    const views = [
      () => `<h2>What do you want to build?</h2>${['Garage', 'Extension', 'Solar roof'].map((w, i) => `<label><input type="radio" name="works" id="w${i}" value="${w}"> ${w}</label> `).join('')}
        <p><button data-do="next" id="next">Next</button></p>`,
      () => `<h2>Where?</h2><label>Parcel number <input name="parcel" id="parcel" placeholder="12-345"></label>
        <button data-do="check" id="check">Look up</button><p id="said" role="alert"></p><p><button data-do="next" id="next">Next</button></p>`,
      () => `<h2>Summary</h2><p>${this.#data.works} at ${this.#data.address}</p><p>Fee: € 85.00</p><button data-do="submit" id="submit">Submit application</button>`,
    ];
    this.root.innerHTML = views[this.#step]();
    document.querySelectorAll('#rail li').forEach((li, i) => { li.style.fontWeight = i === this.#step ? 700 : 400; });
    this.sync();
  }

  async onClick(e) {
    const what = e.target.dataset?.do;
    if (what === 'next' && this.ready) { this.#step++; this.render(); }
    if (what === 'check') await this.check();
    if (what === 'submit') await this.submit(e.target);
  }

  async check() {
    const said = this.root.querySelector('#said');
    const answer = await fetch('/api/permits/parcel', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ parcel: this.#data.parcel }) });
    const body = await answer.json();
    if (answer.status === 422) {
      said.className = 'alert';
      said.textContent = body.message;
    } else {
      this.#data.address = body.address;
      said.className = 'ok';
      said.textContent = `Found: ${body.address}`;
      this.drafts.keep(this.#data);
    }
    this.sync();
  }

  async submit(button) {
    button.disabled = true;
    const answer = await fetch('/api/permits', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(this.#data) });
    const { reference } = await answer.json();
    sessionStorage.removeItem('permit-draft');
    document.getElementById('draft').textContent = '';
    this.root.innerHTML = `<h2 class="ok">Thank you</h2><p>Your application has the number <b>${reference}</b>. You will hear from us within four weeks.</p>`;
  }
}
new PermitWizard(document.getElementById('wizard'), new DraftKeeper(document.getElementById('draft')));
