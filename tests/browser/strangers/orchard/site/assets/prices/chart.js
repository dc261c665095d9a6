/* A line chart without a library. */
(function (global) {
  var PAD = 28;

  function LineChart(host, options) {
    this.host = host;
    this.colour = (options && options.colour) || '#4d7c3a';
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    host.appendChild(this.canvas);
    this.points = [];
    this.measure();
  }

  LineChart.prototype.measure = function () {
    var box = this.host.getBoundingClientRect();
    this.width = this.canvas.width = Math.floor(box.width);
    this.height = this.canvas.height = Math.floor(box.width * 0.45);
  };

  LineChart.prototype.data = function (points) {
    this.points = points;
    this.canvas.setAttribute('aria-label', points.length + ' values');
    this.draw();
    return this;
  };

  LineChart.prototype.place = function (point, index, range) {
    return {
      x: PAD + index * (this.width - 2 * PAD) / Math.max(1, this.points.length - 1),
      y: this.height - PAD - (point.value - range.low) / (range.high - range.low || 1) * (this.height - 2 * PAD)
    };
  };

  LineChart.prototype.draw = function () {
    var pen = this.canvas.getContext('2d');
    var values = this.points.map(function (point) { return point.value; });
    var range = { low: Math.min.apply(null, values), high: Math.max.apply(null, values) };
    pen.clearRect(0, 0, this.width, this.height);
    pen.strokeStyle = this.colour;
    pen.lineWidth = 2;
    pen.beginPath();
    this.points.forEach(function (point, index) {
      var at = this.place(point, index, range);
      if (index) pen.lineTo(at.x, at.y); else pen.moveTo(at.x, at.y);
    }, this);
    pen.stroke();
    pen.font = '12px sans-serif';
    this.points.forEach(function (point, index) {
      var at = this.place(point, index, range);
      pen.fillText(point.label, at.x - 10, this.height - 8);
    }, this);
  };

  global.LineChart = LineChart;
})(window);
