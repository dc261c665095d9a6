/* Tabs: buttons of role tab, panels by aria-controls. */
(function (global) {
  function Tabs(root) {
    this.root = root;
    this.events = new Emitter();
    this.buttons = Array.prototype.slice.call(root.querySelectorAll('[role=tab]'));
    var self = this;
    this.buttons.forEach(function (button) {
      button.addEventListener('click', function () { self.select(button.id); });
    });
  }
  Tabs.prototype.select = function (id) {
    this.buttons.forEach(function (button) {
      var chosen = button.id === id;
      button.setAttribute('aria-selected', String(chosen));
      document.getElementById(button.getAttribute('aria-controls')).hidden = !chosen;
    });
    this.events.emit('select', id);
  };
  global.Tabs = Tabs;
})(window);
