function Catalogue(config) {
  this.base = config.catalogue;
  this.request = config.request;
  this.size = config.pageSize;
}

Catalogue.prototype.ask = function (path, extra) {
  var init = {};
  for (var name in this.request) init[name] = this.request[name];
  for (var other in extra || {}) init[other] = extra[other];
  return fetch(this.base + path, init).then(function (response) {
    if (!response.ok) throw new Error('catalogue ' + response.status);
    return response.json();
  });
};

Catalogue.prototype.targets = function () {
  return this.ask('/targets?size=' + this.size)
    .then(function (data) { return data.targets; })
    .catch(function () { return []; });
};

Catalogue.prototype.epoch = function () {
  return this.ask('/epoch').then(function (data) { return data.epoch; });
};
