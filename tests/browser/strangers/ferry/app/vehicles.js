(function (q) {
  function money(n) { return "€ " + (n || 0).toFixed(2); }
  q.get("/api/vehicles/types", function (types) {
    types.forEach(function (t) { q("#kind").append("<option value='" + t.code + "'>" + t.label + "</option>"); });
  });
  q("#price").on("click", function () {
    q.get("/api/vehicles/tariff?kind=" + q("#kind").val(), function (tariff) {
      q("#sum").text(money(tariff.crossing + tariff.harbourDues));
    });
  });
})(window.q);
