(function (Archive) {
  function Browser(root) {
    this.root = root;
    this.list = root.querySelector('#images');
    this.note = root.querySelector('#note');
    this.field = root.querySelector('#q');
    this.filters = { q: '', band: '' };
    this.pending = 0;
    this.field.addEventListener('input', Archive.debounce(this.typed.bind(this), 120));
    root.querySelector('#bands').addEventListener('click', this.pressed.bind(this));
  }

  Browser.prototype.typed = function () {
    this.set('q', this.field.value.trim());
  };

  Browser.prototype.pressed = function (event) {
    var band = event.target.getAttribute('data-band');
    if (band === null) return;
    this.field.value = '';
    this.set('q', '');
    this.set('band', band);
  };

  Browser.prototype.set = function (name, value) {
    if (this.filters[name] === value) return;
    this.filters[name] = value;
    this.mark();
    this.find();
  };

  Browser.prototype.mark = function () {
    var band = this.filters.band;
    Array.prototype.forEach.call(this.root.querySelectorAll('[data-band]'), function (button) {
      button.setAttribute('aria-pressed', String(button.getAttribute('data-band') === band));
    });
  };

  Browser.prototype.find = function () {
    var self = this;
    self.pending += 1;
    self.busy();
    Archive.request('/api/archive/search', this.filters, function (data) {
      self.pending -= 1;
      self.show(data);
      self.busy();
    }, function (status) {
      self.pending -= 1;
      self.note.textContent = 'The archive does not answer (' + status + ')';
    });
  };

  Browser.prototype.busy = function () {
    this.root.classList.toggle('is-busy', this.pending > 0);
  };

  Browser.prototype.show = function (data) {
    var self = this;
    this.list.innerHTML = '';
    data.results.forEach(function (image) { self.list.appendChild(self.tile(image)); });
    this.note.textContent = data.total + (data.total === 1 ? ' image' : ' images');
  };

  Browser.prototype.tile = function (image) {
    var tile = document.createElement('article');
    tile.className = 'card';
    var title = document.createElement('h3');
    title.textContent = image.object;
    var text = document.createElement('p');
    text.className = 'muted';
    text.textContent = image.filter + ' band, ' + image.exposure + ' s';
    tile.appendChild(title);
    tile.appendChild(text);
    return tile;
  };

  var browser = new Browser(document.querySelector('main'));
  browser.mark();
  browser.find();
  Archive.request('/api/archive/featured', {}, function () { }, function () {
    console.warn('archive: nothing is featured this week');
  });
  Archive.browser = browser;
})(Archive);
