(function () {
  var map = new SiteMap(document.querySelector('#map'));
  var list = document.querySelector('#places');

  function stored() {
    var raw = document.querySelector('#map').dataset.last;
    try {
      return JSON.parse(raw);
    } catch (e) {
      console.warn('guide: last place is in the old form', e.message);
      return { id: raw };
    }
  }

  function photo(place) {
    var image = new Image(64, 48);
    image.alt = '';
    image.onerror = function () { image.remove(); };
    image.src = place.photo;
    return image;
  }

  function draw(places) {
    list.replaceChildren.apply(list, places.map(function (place) {
      var item = document.createElement('li');
      item.append(photo(place), ' ' + place.name);
      return item;
    }));
    document.querySelector('#note').textContent = places.length + ' places, open until 22:00';
  }

  var last = stored();
  map.load().then(draw).then(function () {
    if (last) console.info('guide: last time at ' + last.id);
  }).catch(function (error) {
    document.querySelector('#note').textContent = 'The map cannot be shown';
    console.error(error);
  });

  console.warn('guide: DOMMap.v1 is deprecated and goes in 2027');
  $get('/api/places/crowding').catch(function (error) { console.warn('guide: ' + error.message + ', plain map'); });
  if (navigator.geolocation === undefined) console.info('guide: no position');
})();
