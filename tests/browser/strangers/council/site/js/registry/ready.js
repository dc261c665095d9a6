function untilReady(url, opts) {
  var tries = 0;
  opts = opts || {};
  return new Promise(function (resolve, reject) {
    (function ask() {
      fetch(url, { cache: 'no-store' }).then(function (r) {
        if (r.status === 200) return r.json().then(resolve);
        if (r.status !== 202 || ++tries > (opts.max || 20)) return reject(new Error(url + ': ' + r.status));
        opts.waiting && opts.waiting(tries);
        setTimeout(ask, opts.every || 600);
      }, reject);
    })();
  });
}
