/* Wayfinder 3.2: plans of open-air sites as SVG */
window.Wayfinder = (function () {
  function place(one) {
    return '<g><circle cx="' + one.x + '" cy="' + one.y + '" r="14" fill="#3f6b4f"/><text x="' + (one.x + 20) + '" y="' + (one.y + 5) + '">' +
      one.name + ': ' + one.now + '</text></g>';
  }
  return { draw: function (places) { return '<svg viewBox="0 0 480 260" width="480">' + places.map(place).join('') + '</svg>'; } };
})();
