(function (Linden) {
  'use strict';
  const { http, $, esc, fill } = Linden;
  const GATEWAY = 'http://127.0.0.1:@@PARTNER@@/gateway';

  async function cover(member) {
    const response = await fetch(`${GATEWAY}/members/${member}`);
    if (!response.ok) throw new Error(`gateway: ${response.status}`);
    const until = response.headers.get('X-Cover-Until');
    return { ...(await response.json()), until: until ? new Date(until) : null };
  }

  function advise({ until }) {
    if (until && until > new Date()) return `Covered until ${until.toLocaleDateString('en-GB')}.`;
    return 'Not covered any more. Please bill this patient privately.';
  }

  async function show() {
    const patient = await http.get('/api/patients/2041');
    try {
      const known = await cover('LQ-20417');
      fill('#cover', `${esc(patient.name)}: ${esc(known.insurer)}, ${esc(known.plan)} (${esc(known.member)})`);
      $('#advice').textContent = advise(known);
    } catch (error) {
      $('#cover').textContent = 'The insurer does not answer at the moment.';
    }
  }

  show();
})(window.Linden);
