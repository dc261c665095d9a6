/* view.js 0.4 - tiny hyperscript, vendored */
(function (root) {
  function append(el, child) {
    if (child === null || child === undefined || child === false) return;
    if (Array.isArray(child)) { child.forEach(function (c) { append(el, c); }); return; }
    el.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  function h(tag, props) {
    var el = document.createElement(tag);
    Object.entries(props || {}).forEach(function (entry) {
      var name = entry[0], value = entry[1];
      if (name.startsWith("on") && typeof value === "function") el.addEventListener(name.slice(2).toLowerCase(), value);
      else if (name === "class") el.className = value;
      else if (typeof value === "boolean") { if (value) el.setAttribute(name, ""); }
      else if (value !== null && value !== undefined) el.setAttribute(name, value);
    });
    for (var i = 2; i < arguments.length; i++) append(el, arguments[i]);
    return el;
  }
  function mount(target, node) {
    var el = typeof target === "string" ? document.querySelector(target) : target;
    el.replaceChildren();
    append(el, node);
    return el;
  }
  root.View = { h: h, mount: mount };
})(window);
