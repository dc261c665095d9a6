(function (Linden) {
  'use strict';
  // The card in the reader opens a session with the prescription service.
  let opened = null;

  function open(card) {
    opened = Linden.http.post('/api/erx/session', { card, reader: 'cherry-1504' })
      .then((session) => session.id)
      .catch(() => null);
    return opened;
  }

  async function sign(prescription) {
    const session = await opened;
    return Linden.http.post(`/api/prescriptions/${prescription}/sign`, { session });
  }

  Linden.erx = { open, sign };
})(window.Linden);
