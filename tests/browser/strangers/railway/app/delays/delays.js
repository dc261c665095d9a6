(function () {
  var list = Rail.byId('delays');
  var small = Rail.byId('notices');
  var tried = 0;

  function show(delays) {
    list.innerHTML = '';
    if (!delays.length) {
      list.appendChild(Rail.text('li', 'All trains are running on time.'));
      return;
    }
    Rail.each(delays, function (d) {
      list.appendChild(Rail.text('li', d.train + ': ' + d.minutes + ' minutes late (' + d.reason + ')'));
    });
  }

  function load() {
    Rail.ajax({
      url: '/api/delays?region=all',
      success: function (data) { show(data && data.delays || []); },
      fail: function () { show([]); }
    });
  }

  function notices() {
    Rail.ajax({
      url: '/api/notices',
      success: function (data) {
        Rail.each(data.notices, function (n) { small.appendChild(Rail.text('li', n)); });
      },
      fail: function () { if (++tried < 4) { setTimeout(notices, 300); } }
    });
  }

  load();
  notices();
  setInterval(load, Rail.settings.refresh);
}());
