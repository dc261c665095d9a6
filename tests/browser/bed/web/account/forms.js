// Checks a form, shows what is wrong beside it, and hands its values on.
(function (ns) {
  function values(form) {
    var out = {};
    new FormData(form).forEach(function (value, name) { out[name] = value; });
    return out;
  }

  function firstProblem(form) {
    var fields = Array.prototype.slice.call(form.elements);
    for (var i = 0; i < fields.length; i++) {
      if (fields[i].willValidate && !fields[i].checkValidity()) return fields[i];
    }
    return null;
  }

  ns.onSubmit = function (form, action) {
    form.addEventListener('submit', function (event) {
      event.preventDefault();
      var hint = form.querySelector('[data-hint]');
      var bad = firstProblem(form);
      if (bad) {
        if (hint) hint.textContent = bad.validationMessage;
        bad.setAttribute('aria-invalid', 'true');
        bad.focus();
        return;
      }
      if (hint) hint.textContent = '';
      var button = form.querySelector('button');
      button.disabled = true;
      Promise.resolve(action(values(form))).finally(function () { button.disabled = false; });
    });
  };
})(Account);
