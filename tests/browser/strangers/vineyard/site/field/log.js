(function () {
  var log = document.getElementById("log");
  var count = document.getElementById("count");

  function addEntry(entry) {
    var line = log.insertRow();
    [entry.at, entry.probe, entry.soil + " % soil", entry.leaf + " % leaf"].forEach(function (text) {
      line.insertCell().textContent = text;
    });
    window.addEventListener("resize", function () { line.classList.toggle("narrow", innerWidth < 500); });
  }

  new Feed("/api/field/log?since=06:00", 450).read(function (entries) {
    entries.forEach(addEntry);
    count.textContent = log.rows.length;
  }).start();
})();
