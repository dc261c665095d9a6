(function () {
  var host = document.getElementById('cams');
  var note = document.getElementById('note');

  function list() {
    return fetch('/api/webcams').then(function (response) {
      if (!response.ok) throw new Error('HTTP ' + response.status);
      return response.json();
    });
  }

  function figure(cam) {
    var element = document.createElement('figure');
    element.className = 'card';
    var image = new Image(240, 150);
    image.alt = cam.title;
    image.onerror = function () {
      image.onerror = null;
      image.src = '/files/cams/' + cam.id + '.svg';
    };
    image.src = '/files/cams/' + cam.id + '@2x.webp';
    var caption = document.createElement('figcaption');
    caption.textContent = cam.title;
    element.append(image, caption);
    return element;
  }

  function show(data) {
    host.replaceChildren.apply(host, data.cams.map(figure));
    note.textContent = data.cams.length + ' cameras';
  }

  function live() {
    if (!('EventSource' in window)) return;
    var source = new EventSource('/api/webcams/motion');
    source.onerror = function () {
      source.close();
      console.warn('webcams: motion marks are off');
    };
  }

  note.textContent = 'Waking the cameras';
  window.withRetry(list, 4, 400).then(show).catch(function (error) {
    note.textContent = 'The cameras do not answer';
    console.error(error);
  });
  live();
})();
