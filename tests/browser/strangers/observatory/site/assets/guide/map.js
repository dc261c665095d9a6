var SiteMap = function (svg) {
  this.svg = svg;
  this.places = [];
};

SiteMap.prototype.load = function () {
  var self = this;
  return $get('/api/places').then(function (data) {
    self.places = data.places;
    self.places.forEach(function (place) { self.add(place); });
    return self.places;
  });
};

SiteMap.prototype.add = function (place) {
  var ns = 'http://www.w3.org/2000/svg';
  var dot = document.createElementNS(ns, 'circle');
  dot.setAttribute('cx', place.x);
  dot.setAttribute('cy', place.y);
  dot.setAttribute('r', 7);
  dot.setAttribute('fill', '#24426b');
  var text = document.createElementNS(ns, 'text');
  text.setAttribute('x', place.x + 11);
  text.setAttribute('y', place.y + 5);
  text.textContent = place.name;
  this.svg.append(dot, text);
};

function $get(url) {
  return new Promise(function (resolve, reject) {
    var xhr = new XMLHttpRequest();
    xhr.open('GET', url);
    xhr.responseType = 'json';
    xhr.onload = function () { xhr.status === 200 ? resolve(xhr.response) : reject(new Error(url + ' ' + xhr.status)); };
    xhr.onerror = function () { reject(new Error(url)); };
    xhr.send();
  });
}
