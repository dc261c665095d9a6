var Pilotage = window.Pilotage || {};
window.Pilotage = Pilotage;

Pilotage.sums = (function () {
  var dash = '–';

  function careful(work) {
    try {
      return work();
    } catch (e) {
      return dash;
    }
  }

  return {
    dash: dash,
    miles: function (leg) { return careful(function () { return window.Knots.distance(leg.a, leg.b).toFixed(1); }); },
    course: function (leg) { return careful(function () { return Math.round(window.Knots.bearing(leg.a, leg.b)) + '°'; }); },
    time: function (leg, speed) {
      return careful(function () {
        var hours = window.Knots.hours(window.Knots.distance(leg.a, leg.b), speed);
        return Math.floor(hours) + ' h ' + Math.round((hours % 1) * 60) + ' min';
      });
    }
  };
})();
