(function (api) {
  var state = { slots: [], bookings: [], advisory: null, message: '' };
  var root = document.getElementById('tours');

  function set(part) {
    Object.keys(part).forEach(function (name) { state[name] = part[name]; });
    render();
  }

  function slotHtml(slot) {
    return '<div class="card" data-slot="' + slot.id + '"><strong>' + slot.time + '</strong> ' +
      '<span class="muted">' + slot.free + ' places</span> <button type="button" data-book="' + slot.id + '">Book for two</button></div>';
  }

  function bookingHtml(booking) {
    var slot = state.slots.filter(function (s) { return s.id === booking.slot; })[0];
    return '<li>' + booking.number + ', ' + (slot ? slot.time : '') + ', ' + booking.people + ' people</li>';
  }

  function render() {
    root.innerHTML =
      '<p class="muted">' + (state.advisory ? state.advisory.text : '') + '</p>' +
      '<div id="slots" class="grid">' + state.slots.map(slotHtml).join('') + '</div>' +
      '<p id="message">' + state.message + '</p>' +
      '<h2>My bookings (' + state.bookings.length + ')</h2><ul id="mine">' + state.bookings.map(bookingHtml).join('') + '</ul>';
    bind();
  }

  function bind() {
    root.addEventListener('click', function (event) {
      var button = event.target.closest('[data-book]');
      if (!button) return;
      book(button.getAttribute('data-book'));
    });
  }

  function book(slot) {
    api.book(slot).then(function (made) {
      set({ message: 'Booked: ' + made.number });
      return api.bookings();
    }).then(function (list) {
      set({ bookings: list });
    }).catch(function () {
      set({ message: 'The booking did not work, please call us.' });
    });
  }

  api.slots().then(function (slots) { set({ slots: slots }); });
  api.bookings().then(function (list) { set({ bookings: list }); });
  api.advisory().then(function (advisory) { set({ advisory: advisory }); });

  var ahead = new AbortController();
  fetch('/api/recommendations', { signal: ahead.signal }).catch(function () { console.info('[tours] recommendations are skipped'); });
  setTimeout(function () { ahead.abort(); }, 300);
})(window.toursApi);
