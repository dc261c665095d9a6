(function () {
  var form = WH.$("#reserve");
  var held = WH.$("#held");
  var token = WH.$("meta[name=form-token]").content;

  function describe(reservation) {
    return "Held until " + new Date(reservation.until).toLocaleTimeString("en-GB") + ": seats " + reservation.seats.join(", ");
  }

  form.addEventListener("submit", function (event) {
    event.preventDefault();
    held.innerHTML = "<p class=spinner>Holding your seats…</p>";
    WH.postJSON("/api/reservations", { show: "nf-0412", seats: Number(form.elements.seats.value) }, { "x-form-token": token })
      .then(function (res) { return res.json(); })
      .then(function (answer) {
        held.innerHTML = "<p class=notice>" + describe(answer.reservation) + "</p>";
      })
      .catch(function (error) {
        console.error("reserve failed", error);
        held.innerHTML = "<p class=error>These seats are no longer available.</p>";
      });
  });
})();
