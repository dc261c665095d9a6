/* signpad 3.1 */
(function (root) {
  function SignPad(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.strokes = 0;
    var self = this;
    canvas.addEventListener("pointerdown", function (event) {
      self.strokes += 1;
      self.pen.beginPath();
      self.pen.moveTo(event.offsetX, event.offsetY);
    });
    canvas.addEventListener("pointermove", function (event) {
      if (!event.buttons) return;
      self.pen.lineTo(event.offsetX, event.offsetY);
      self.pen.stroke();
    });
  }
  SignPad.prototype.isEmpty = function () {
    return this.strokes === 0;
  };
  root.SignPad = SignPad;
})(window);
