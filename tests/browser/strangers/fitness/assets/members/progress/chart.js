var Chart = (function () {
  function line(points) {
    var top = Math.max.apply(null, points) + 5, low = Math.min.apply(null, points) - 5;
    return points.map(function (value, at) {
      return (at * 60 + 10) + "," + (110 - (value - low) / (top - low) * 100).toFixed(1);
    }).join(" ");
  }
  return {
    draw: function (target, points) {
      target.innerHTML = '<svg viewBox="0 0 400 120" role="img"><polyline fill="none" stroke="#12464a" stroke-width="3" points="' +
        line(points) + '"/></svg><p>Pulse now: <b>' + points[points.length - 1] + "</b></p>";
    }
  };
})();
