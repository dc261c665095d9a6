class ReportForm {
  constructor(root, model) {
    this.root = root;
    this.model = model;
    root.innerHTML = this.template(model.state);
    this.bind();
    model.onChange((state) => { root.innerHTML = this.template(state); });
    root.addEventListener('click', (e) => {
      if (e.target.dataset.kind) model.change({ kind: e.target.dataset.kind });
    });
    root.addEventListener('input', (e) => { if (e.target.id === 'where') model.state.where = e.target.value; });
  }

  template({ kinds, kind, where }) {
    return `<p>What do you hear? ${kinds.map((k) => `<button id="k-${k.key}" data-kind="${k.key}" aria-pressed="${k.key === kind}">${k.title}</button>`).join(' ')}</p>
      <p><label>Where? <input id="where" value="${where}"></label></p>
      <p><button id="send">Send report</button></p>`;
  }

  bind() {
    this.root.querySelector('#send').addEventListener('click', () => this.send());
  }

  async send() {
    const { kind, where } = this.model.state;
    const answer = await fetch('/api/noise/reports', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ kind, where }) });
    const done = document.querySelector('#done');
    done.textContent = answer.ok ? `Thank you. Report number ${(await answer.json()).number}.` : 'The report could not be sent.';
  }
}

const model = new ReportModel();
new ReportForm(document.querySelector('#report'), model);
fetch('/api/noise/kinds').then((a) => a.json()).then((kinds) => model.change({ kinds }));
