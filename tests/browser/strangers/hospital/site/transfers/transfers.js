(() => {
  const body = document.querySelector('#transfers tbody');
  const state = { rows: [], urgent: false };

  const line = (row) => `<tr><td>${row.patient}</td><td>${row.from} → ${row.to}</td><td>${row.urgent ? '<b>urgent</b>' : ''}</td>
    <td><button class="accept" id="accept-${row.id}" data-id="${row.id}">Accept</button></td></tr>`;

  function draw() {
    body.innerHTML = state.rows.filter((row) => !state.urgent || row.urgent).map(line).join('');
  }

  async function accept(event) {
    const button = event.currentTarget;
    button.disabled = true;
    const answer = await fetch(`/api/transfers/${button.dataset.id}/accept`, { method: 'POST' });
    document.getElementById('said').textContent = answer.ok ? 'The transfer is accepted.' : 'The transfer could not be accepted.';
  }

  function wire() {
    body.querySelectorAll('.accept').forEach((button) => button.addEventListener('click', accept));
    document.getElementById('urgent').addEventListener('click', () => {
      state.urgent = !state.urgent;
      draw();
    });
  }

  fetch('/api/transfers').then((answer) => answer.json()).then((rows) => {
    state.rows = rows;
    draw();
    wire();
  });
})();
