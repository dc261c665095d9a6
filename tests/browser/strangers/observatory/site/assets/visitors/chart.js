var Chart = (function () {
  var NS = 'http://www.w3.org/2000/svg';
  var WIDTH = 640, HEIGHT = 220, PAD = 24;

  function node(name, attributes, text) {
    var element = document.createElementNS(NS, name);
    Object.keys(attributes).forEach(function (key) { element.setAttribute(key, attributes[key]); });
    if (text) element.textContent = text;
    return element;
  }

  function scale(series) {
    var step = (WIDTH - 2 * PAD) / (series.points.length - 1);
    return function (point, index) {
      return [PAD + index * step, HEIGHT - PAD - point.value / series.top * (HEIGHT - 2 * PAD)];
    };
  }

  function line(host, series) {
    var svg = node('svg', { viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, role: 'img', 'aria-label': 'Visits a month' });
    var at = scale(series).bind(null);
    var path = series.points.map(function (point, index) { return (index ? 'L' : 'M') + at(point, index).join(' '); }).join('');
    svg.appendChild(node('path', { d: path, fill: 'none', stroke: '#24426b', 'stroke-width': 3 }));
    series.points.forEach(function (point, index) {
      svg.appendChild(node('text', { x: at(point, index)[0], y: HEIGHT - 4, 'font-size': 11, 'text-anchor': 'middle' }, point.label));
    });
    host.replaceChildren(svg);
  }

  return { line: line };
})();
