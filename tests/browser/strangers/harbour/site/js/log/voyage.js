window.Log = window.Log || {};

/* A fix a minute comes from the boat; the plot wants one a second. */
Log.densify = function (fixes) {
  var dense = [];
  for (var n = 0; n + 1 < fixes.length; n += 1) {
    var a = fixes[n];
    var b = fixes[n + 1];
    for (var s = 0; s < 60; s += 1) {
      var part = s / 60;
      dense.push({
        t: a.t + s,
        lat: a.lat + (b.lat - a.lat) * part,
        lon: a.lon + (b.lon - a.lon) * part,
        sog: a.sog + (b.sog - a.sog) * part,
        cog: (Math.atan2(b.lon - a.lon, b.lat - a.lat) * 180 / Math.PI + part) % 360,
        at: new Date(Date.UTC(2026, 0, 1) + (a.t + s) * 1000).toISOString(),
        source: 'interpolated', interval: 1
      });
    }
  }
  return dense;
};

Log.loadVoyage = function (done) {
  var xhr = new XMLHttpRequest();
  xhr.open('GET', '/api/voyages/current');
  xhr.responseType = 'json';
  xhr.onload = function () {
    if (xhr.status !== 200) return done(new Error('voyage ' + xhr.status));
    var voyage = xhr.response;
    voyage.track = Log.densify(voyage.fixes);
    done(null, voyage);
  };
  xhr.onerror = function () { done(new Error('voyage')); };
  xhr.send();
};
