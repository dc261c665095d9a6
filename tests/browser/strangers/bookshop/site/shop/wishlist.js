(function () {
  function stored() {
    try { return JSON.parse(localStorage.getItem('qh.wishes') || 'null') || []; } catch (e) { return []; }
  }

  function drawWishes() {
    var list = stored();
    $('#wishes').innerHTML = list.length ? list.map(function (w) { return '<li>' + esc(w) + '</li>'; }).join('')
      : '<li class="muted">Nothing here yet. Add books with the heart.</li>';
  }

  ajax('GET', '/api/session/current', null, function (err, me, x) {
    if (err && x && x.status === 401) { $('#greeting').textContent = 'You are not signed in; your wishes are kept on this device.'; return; }
    $('#greeting').textContent = err ? '' : 'Hello ' + me.name;
  });

  ajax('GET', '/api/wishlist/suggestions', null, function (err, body) {
    if (err) return;
    $('#others').innerHTML = body.books.map(function (b) {
      return '<div class="card"><img alt="" width="40" src="' + b.cover + '"> ' + esc(b.title) + ' <button data-wish="' + esc(b.title) + '">Wish</button></div>';
    }).join('');
    $$('#others img').forEach(function (img) {
      img.onerror = function () { img.onerror = null; img.src = '/assets/no-cover.svg'; };
    });
    $$('#others button').forEach(function (b) {
      b.onclick = function () {
        localStorage.setItem('qh.wishes', JSON.stringify(stored().concat(b.dataset.wish)));
        drawWishes();
      };
    });
  });

  drawWishes();
})();
