// Texts in the language of the user.
(function (ns) {
  var texts = {};

  ns.loadTexts = function (language) {
    return ns.call('GET', '/api/texts/' + language).then(function (answer) {
      texts = answer.texts;
      document.documentElement.lang = language;
    }, function (failure) {
      console.info('[i18n] no texts for ' + language + ', ' + failure.message);
    });
  };

  ns.text = function (key) {
    return texts[key];
  };

  ns.fillIn = function (key, values) {
    return ns.text(key).replace(/\{(\w+)\}/g, function (_, name) { return values[name]; });
  };
})(Account);
