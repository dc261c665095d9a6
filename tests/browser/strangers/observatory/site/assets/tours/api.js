window.toursApi = (function () {
  function json(response) {
    if (!response.ok) return Promise.reject(new Error('HTTP ' + response.status));
    return response.json();
  }
  return {
    slots: function () { return fetch('/api/tours/slots').then(json).then(function (d) { return d.slots; }); },
    advisory: function () { return fetch('/api/tours/advisory').then(json); },
    bookings: function () { return fetch('/api/tours/bookings').then(json).then(function (d) { return d.bookings; }); },
    book: function (slot) {
      return fetch('/api/tours/bookings', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ slot: slot, people: 2 })
      }).then(json);
    }
  };
})();
