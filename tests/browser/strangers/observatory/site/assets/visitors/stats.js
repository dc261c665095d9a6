var Stats = (function () {
  var cache = {};

  function fetchJson(url) {
    if (!cache[url]) cache[url] = fetch(url).then(function (r) { if (!r.ok) throw new Error(url); return r.json(); });
    return cache[url];
  }

  function toNumber(value) {
    return Number(value);
  }

  function year() {
    return fetchJson('/api/visits').then(function (data) {
      var points = data.months.map(function (row) { return { label: row.month, value: toNumber(row.visits), groups: toNumber(row.groups) }; });
      return {
        year: data.year,
        points: points,
        total: points.reduce(function (sum, point) { return sum + point.value; }, 0),
        groups: points.reduce(function (sum, point) { return sum + point.groups; }, 0),
        top: Math.max.apply(null, points.map(function (point) { return point.value; }))
      };
    });
  }

  function origins() {
    return fetchJson('/api/visits/origins').then(function (data) { return Object.entries(data.origins); });
  }

  return { year: year, origins: origins };
})();
