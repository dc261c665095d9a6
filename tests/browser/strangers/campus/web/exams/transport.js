var Transport = (function () {
  var HOSTS = ['/api/exams/plan', '/mirror-b/exams/plan'];
  function once(url, done) {
    var x = new XMLHttpRequest();
    x.open('GET', url);
    x.onload = function () {
      done(x.status === 200 ? null : new Error(url + ' ' + x.status), x.responseXML, Number(x.getResponseHeader('Retry-After')));
    };
    x.onerror = function () { done(new Error(url + ' unreachable'), null, 0); };
    x.send();
  }
  return {
    get: function (done, host, tries) {
      host = host || 0; tries = tries || 0;
      once(HOSTS[host], function (error, doc, wait) {
        if (!error) return done(null, doc);
        console.error('exam office:', error);
        if (tries < 1) return setTimeout(Transport.get, (wait || 1) * 600, done, host, tries + 1);
        if (host + 1 < HOSTS.length) { console.warn('exam office: taking the second house'); return Transport.get(done, host + 1, 0); }
        done(error);
      });
    }
  };
})();
