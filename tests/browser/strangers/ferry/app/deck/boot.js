(function () {
  var plan = new DeckPlan(document.getElementById("plan"), function (name) {
    document.getElementById("seat").textContent = name;
  });
  fetch("/api/deck/7").then(function (r) { return r.json(); }).then(function (deck) { plan.draw(deck); });
})();
