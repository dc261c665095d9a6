/* A small emitter for pages without modules. */
function Emitter() {
  this.handlers = {};
}
Emitter.prototype.on = function (name, handler) {
  (this.handlers[name] = this.handlers[name] || []).push(handler);
  return this;
};
Emitter.prototype.emit = function (name, value) {
  (this.handlers[name] || []).slice().forEach(function (handler) { handler(value); });
};
