(function () {
  var grid = document.getElementById('grid');

  function warm(id) {
    // the large one, in case somebody looks closer; not for long
    var control = new AbortController();
    fetch('/media/gallery/' + id + '@2x.svg', { signal: control.signal, priority: 'low' }).catch(function () {});
    setTimeout(function () { control.abort(); }, 700);
  }

  function figure(picture) {
    var box = document.createElement('figure');
    box.className = 'card';
    var image = document.createElement('img');
    image.alt = picture.title;
    image.width = 200;
    image.height = 125;
    image.onerror = function () {
      image.onerror = null;
      image.src = '/assets/gallery/placeholder.svg';
    };
    image.src = '/media/gallery/' + picture.id + '.svg';
    var caption = document.createElement('figcaption');
    caption.textContent = picture.title;
    box.append(image, caption);
    return box;
  }

  fetch('/api/gallery')
    .then(function (answer) { return answer.json(); })
    .then(function (gallery) {
      gallery.pictures.forEach(function (picture) { grid.appendChild(figure(picture)); });
      document.getElementById('status').textContent = gallery.pictures.length + ' pictures';
      warm('blossom');
      warm('press');
    });
})();
