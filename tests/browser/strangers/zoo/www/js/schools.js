(function () {
  function dayText(value) {
    var p = value.split('-');
    return p[2] + '.' + p[1] + '.' + p[0];
  }
  zq('#find').on('click', function () {
    zq('#slots').html('<li>Looking…</li>');
    zq.ajax({
      url: '/api/schools/slots?day=' + encodeURIComponent(dayText(zq('#day').val())),
      success: function (d) { zq('#slots').html(d.slots.map(function (s) { return '<li>' + s + '</li>'; }).join('')); },
      error: function () { zq('#slots').html('<li>No free guided tours on this day.</li>'); }
    });
  });
})();
