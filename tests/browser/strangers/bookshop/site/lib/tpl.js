// Tpl: '{name}' in a string becomes the escaped member.
window.Tpl = {
  compile: function (text) {
    return function (data) {
      return text.replace(/\{(\w+)\}/g, function (_, name) { return esc(data[name]); });
    };
  }
};
