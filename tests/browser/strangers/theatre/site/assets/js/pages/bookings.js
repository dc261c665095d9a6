/* My bookings: a list, and one of it in full. */
var Bookings = (function () {
  var cache = {};

  function request(url, done, failed) {
    var xhr = new XMLHttpRequest();
    xhr.open('GET', url);
    xhr.responseType = 'json';
    xhr.onload = function () {
      if (xhr.status === 200) done(xhr.response);
      else failed(xhr.status);
    };
    xhr.onerror = function () { failed(0); };
    xhr.send();
  }

  function escape(text) {
    var p = document.createElement('p');
    p.textContent = text;
    return p.innerHTML;
  }

  function poster(booking) {
    return '<span class="poster" data-id="' + booking.production + '">' +
      '<img alt="" width="64" height="36" src="/media/stage-' + booking.production + '.svg"> ' +
      '<button type="button" class="open">Details</button></span>';
  }

  function row(booking) {
    return '<div class="card booking row" data-id="' + booking.id + '">' + poster(booking) +
      '<strong>' + escape(booking.title) + '</strong><span class="muted">' + booking.date + '</span></div>';
  }

  function list(bookings) {
    document.getElementById('bookings').innerHTML = bookings.map(row).join('');
  }

  function detail(booking) {
    var place = document.getElementById('detail');
    place.innerHTML = '<h2>' + escape(booking.title) + '</h2><p>' + booking.date + '</p><p>Seats: ' +
      escape(booking.seats.join(', ')) + '</p><p>Total: ' + booking.total + ' EUR</p><p>Booked by ' + escape(booking.holder) + '</p>';
    place.hidden = false;
  }

  function open(id) {
    if (cache[id]) return detail(cache[id]);
    request('/api/bookings/' + id, function (booking) {
      cache[id] = booking;
      detail(booking);
    }, function (status) {
      console.warn('booking', id, status);
    });
  }

  function begin() {
    document.getElementById('bookings').addEventListener('click', function (event) {
      var button = event.target.closest('.open');
      if (!button) return;
      open(button.closest('[data-id]').dataset.id);
    });
    request('/api/bookings', function (answer) { list(answer.bookings); }, function (status) {
      document.getElementById('bookings').textContent = 'Your bookings cannot be shown (' + status + ').';
    });
    request('/api/bookings/vouchers', function (answer) {
      document.getElementById('vouchers').textContent = answer.vouchers.length + ' vouchers';
    }, function () { /* who has none has no list of them */ });
  }

  return { begin: begin };
})();

Bookings.begin();
