(function (storage) {
  var STANDARD = { units: 'metric', theme: 'day', mail: false };

  function Preferences() {
    this.values = Object.assign({}, STANDARD, storage.get('preferences', {}));
    this.visits = storage.get('visits', 0) + 1;
    storage.set('visits', this.visits);
    this.watchers = [];
  }
  Preferences.prototype.watch = function (fn) { this.watchers.push(fn); fn(this.values); };
  Preferences.prototype.change = function (name, value) {
    this.values[name] = value;
    var values = this.values;
    this.watchers.forEach(function (fn) { fn(values); });
  };
  Preferences.prototype.save = function () {
    return storage.set('preferences', this.values);
  };

  var preferences = new Preferences();
  var form = document.querySelector('#preferences');
  var note = document.querySelector('#note');

  preferences.watch(function (values) {
    document.documentElement.dataset.theme = values.theme;
    form.elements.units.value = values.units;
    form.elements.theme.value = values.theme;
    form.elements.mail.checked = values.mail;
    document.querySelector('#example').textContent = values.units === 'metric' ? 'Wind 20 km/h, 6 °C' : 'Wind 12 mph, 43 °F';
  });

  form.addEventListener('change', function (event) {
    var field = event.target;
    preferences.change(field.name, field.type === 'checkbox' ? field.checked : field.value);
    note.textContent = 'Not saved yet';
  });
  form.addEventListener('submit', function (event) {
    event.preventDefault();
    note.textContent = preferences.save() ? 'Saved on this device' : 'This browser keeps nothing';
  });

  document.querySelector('#visits').textContent = 'Visit ' + preferences.visits;
  fetch('/api/settings/options').then(function (r) { return r.json(); });
  fetch('/api/settings/avatar').then(function (r) { if (!r.ok) console.warn('settings: no avatar'); });
})(window.ObsStorage);
