var Departures = {
  init: function (o) {
    this.o = o;
    // needed before the first line is written
    this.lines = mini.getSync('/api/transport/lines') || {};
    this.refresh();
    setInterval(this.refresh.bind(this), 5000);
    mini.get('/api/transport/alerts/' + o.stop, function (err, alerts) {
      if (err === 404 || !alerts) return;
      mini.q(o.alerts).innerHTML = alerts.map(function (a) { return '<p class="alert">' + a.text + '</p>'; }).join('');
    });
  },
  refresh: function () {
    var self = this;
    mini.get('/api/transport/departures?stop=' + this.o.stop + '&_=' + new Date().getTime(), function (err, data) {
      if (err) { mini.q(self.o.foot).innerHTML = 'Departures are not known at the moment.'; return; }
      var now = data.now, rows = [];
      for (var i = 0; i < data.departures.length; i++) {
        var d = data.departures[i], minutes = Math.floor((d.at + (d.delay || 0) - now) / 60);
        if (minutes < 0 || d.cancelled || d.ends_here) continue;
        rows.push({ m: minutes, h: '<tr><td>' + ((self.lines[d.line] || {}).name || 'Bus ' + d.line) + '<td>' + d.to + '<td>' + (minutes < 1 ? 'now' : 'in ' + minutes + ' min') + (d.delay ? '' : ' (timetable)') + '</tr>' });
      }
      rows.sort(function (a, b) { return a.m - b.m; });
      mini.q(self.o.board).innerHTML = rows.slice(0, 6).map(function (r) { return r.h; }).join('');
      mini.q(self.o.foot).innerHTML = 'The next ' + Math.min(6, rows.length) + ' buses. Renewed every five seconds.';
    }, { retry: 2 });
  },
};
