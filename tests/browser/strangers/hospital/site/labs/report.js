import { getJSON } from '/lib/http.js';
import { timed } from '/lib/timed.js';

class LabReport extends HTMLElement {
  async connectedCallback() {
    const id = this.getAttribute('patient');
    this.innerHTML = '<p class="quiet">Asking the laboratory…</p>';
    try {
      const [patient, report] = await Promise.all([getJSON(`/api/patients/${id}`), timed(`/api/labs/${id}/results`)]);
      this.show(patient, report?.results ?? []);
    } catch (error) {
      console.error('lab-report', error);
      this.innerHTML = '<p class="alarm">The laboratory cannot be reached.</p>';
    }
  }

  show(patient, results) {
    const rows = results.map((one) => `<tr><td>${one.name}</td><td class="${one.flag && 'alarm'}">${one.value} ${one.unit}</td></tr>`);
    this.innerHTML = `<h2>${patient.name}</h2>` + (rows.length
      ? `<table>${rows.join('')}</table>`
      : '<p>No results have been released for this patient yet.</p>');
  }
}

customElements.define('lab-report', LabReport);
