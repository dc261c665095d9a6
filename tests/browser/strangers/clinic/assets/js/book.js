(function (Linden) {
  'use strict';
  const { http, $, esc, fill } = Linden;
  const booking = { slot: null, hold: null };

  async function showSlots() {
    const day = await http.get('/api/slots?day=2026-12-01');
    $('#doctor').textContent = day.doctor;
    fill('#slots', day.slots.map((s) => `<button data-slot="${s.id}">${esc(s.at)}</button>`).join(' '));
  }

  // A time is kept for five minutes while the form is being filled in.
  async function keep(slot) {
    const answer = await http.post(`/api/slots/${slot}/hold`, { minutes: 5 });
    return answer && answer.holdId;
  }

  $('#slots').addEventListener('click', async (event) => {
    const button = event.target.closest('[data-slot]');
    if (!button) return;
    booking.slot = Number(button.dataset.slot);
    $('#chosen').textContent = button.textContent;
    $('#booking').hidden = false;
    $('#result').textContent = '';
    booking.hold = await keep(booking.slot);
  });

  $('#booking').addEventListener('submit', async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    try {
      const made = await http.post('/api/appointments', {
        patient: form.get('patient'),
        reason: form.get('reason'),
        slotId: booking.slot,
        holdId: booking.hold,
      });
      $('#result').textContent = `Booked, number ${made.id}.`;
    } catch (error) {
      if (error.status === 409) $('#result').textContent = 'Sorry, somebody else has just taken this time.';
      else $('#result').textContent = 'The appointment could not be booked.';
    }
  });

  showSlots();
})(window.Linden);
