var Translations = (function () {
  var row = Tpl.compile('<label>{key} <input name="{key}" value="{text}"></label>');
  var lang = null;

  function open(code) {
    lang = code;
    ajax('GET', '/api/translations/' + code, null, function (err, messages) {
      if (err) { $('#editor').textContent = 'Messages could not be loaded.'; return; }
      $('#editor').innerHTML = Object.keys(messages).map(function (k) { return row({ key: k, text: messages[k] }); }).join('');
    });
  }

  function save() {
    var out = {};
    $$('#editor input').forEach(function (i) { out[i.name] = i.value; });
    ajax('PUT', '/api/translations/' + lang, out, function (err) {
      $('#saved').textContent = err ? 'Not saved.' : 'Saved.';
    });
  }

  $('#save').addEventListener('click', save);
  return { open: open };
})();
