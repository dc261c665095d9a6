(function () {
  function row(wine) {
    try {
      var line = document.createElement("tr");
      [wine.name, wine.vintage, window.EstateMoney.fromCents(wine.cents)].forEach(function (text) {
        line.insertCell().textContent = text;
      });
      return line;
    } catch (e) {
      return null;
    }
  }

  function show(body) {
    var lines = body.rows.map(row).filter(Boolean);
    lines.forEach(function (line) { document.getElementById("prices").append(line); });
    if (!lines.length) document.getElementById("none").textContent = "No wines are for sale at the moment.";
  }

  fetch("/api/prices").then(function (r) { return r.json(); }).then(show);
})();
