(function () {
  var root = WH.$("#checkout");
  var order = { lines: [], fees: null, sent: false };

  function total() {
    return order.lines.reduce(function (sum, line) { return sum + line.count * line.cents; }, 0) + (order.fees || 0);
  }

  function paint() {
    root.innerHTML =
      order.lines.map(function (line) {
        return "<div class=card>" + line.count + " × " + line.title + " <b>" + WH.money(line.count * line.cents) + "</b></div>";
      }).join("") +
      "<p>Booking fee: " + (order.fees === null ? "…" : WH.money(order.fees)) + "</p>" +
      "<p>Total: <b>" + WH.money(total()) + "</b></p>" +
      "<button id=place-order type=button>Confirm booking</button> <span id=progress class=muted></span>";
  }

  function wire() {
    WH.$("#place-order").addEventListener("click", function () {
      WH.$("#progress").textContent = "Booking…";
      WH.postJSON("/api/orders", { lines: order.lines }).then(function (res) { return res.json(); }).then(function (done) {
        WH.$("#progress").textContent = "Booked. Your number is " + done.number + ".";
      });
    });
  }

  WH.getJSON("/api/checkout/lines").then(function (lines) {
    order.lines = lines;
    paint();
    wire();
    return WH.getJSON("/api/checkout/fees");
  }).then(function (fees) {
    order.fees = fees.cents;
    paint();
  });
})();
