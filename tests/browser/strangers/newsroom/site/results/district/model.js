window.Results = (function () {
  function load(district) {
    return fetch('/api/results/district/' + district).then(function (response) {
      if (!response.ok) throw new Error('results: ' + response.status);
      return response.json();
    });
  }
  return { load: load };
})();
