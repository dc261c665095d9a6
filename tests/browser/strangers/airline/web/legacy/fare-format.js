(function (root) {
  var symbols = { NOK: 'kr', EUR: 'EUR' };
  root.FareFormat = {
    money: function (minor, currency) {
      return symbols[currency] + ' ' + (minor / 100).toFixed(0);
    },
  };
})(window);
