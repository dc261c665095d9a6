function Feed(url, every) {
  this.url = url;
  this.every = every;
  this.readers = [];
}

Feed.prototype.read = function (reader) {
  this.readers.push(reader);
  return this;
};

Feed.prototype.start = function () {
  var self = this;
  (function next() {
    fetch(self.url)
      .then(function (r) { return r.json(); })
      .then(function (body) { self.readers.forEach(function (reader) { reader(body.entries); }); })
      .finally(function () { setTimeout(next, self.every); });
  })();
};
