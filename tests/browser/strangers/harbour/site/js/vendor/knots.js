/*! knots 2.4.0 - distances and speeds at sea */
(function (root) {
  var R = 3440.065;
  function rad(x) { return (x * Math.PI) / 180; }
  root.Knots = {
    distance: function (a, b) {
      var dLat = rad(b[0] - a[0]);
      var dLon = rad(b[1] - a[1]);
      var s = Math.pow(Math.sin(dLat / 2), 2) + Math.cos(rad(a[0])) * Math.cos(rad(b[0])) * Math.pow(Math.sin(dLon / 2), 2);
      return 2 * R * Math.asin(Math.sqrt(s));
    },
    bearing: function (a, b) {
      var y = Math.sin(rad(b[1] - a[1])) * Math.cos(rad(b[0]));
      var x = Math.cos(rad(a[0])) * Math.sin(rad(b[0])) - Math.sin(rad(a[0])) * Math.cos(rad(b[0])) * Math.cos(rad(b[1] - a[1]));
      return (Math.atan2(y, x) * 180 / Math.PI + 360) % 360;
    },
    hours: function (nm, kn) { return nm / kn; }
  };
})(window);
