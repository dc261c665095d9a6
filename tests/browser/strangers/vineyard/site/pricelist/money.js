window.EstateMoney = (function () {
  var format = new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" });
  return { fromCents: function (cents) { return format.format(cents / 100); } };
})();
