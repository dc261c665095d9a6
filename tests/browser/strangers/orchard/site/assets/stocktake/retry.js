/* get(path, tries) that is patient with a server that says so. */
var Patient = (function () {
  function wait(ms) { return new Promise(function (resolve) { setTimeout(resolve, ms); }); }

  function get(path, tries) {
    return fetch(path).then(function (answer) {
      if (answer.status === 503 && tries > 1) {
        console.warn('stock: ' + answer.status + ', once more');
        return wait(400).then(function () { return get(path, tries - 1); });
      }
      if (!answer.ok) throw new Error(path + ' ' + answer.status);
      return answer.json();
    });
  }
  return { get: get };
})();
