(function () {
  'use strict';
  var seenKey = 'notices:seen';

  function seen() {
    try {
      return JSON.parse(localStorage.getItem(seenKey)) || [];
    } catch (e) {
      console.warn('notices: the list of seen notices was not readable, it begins anew');
      return [];
    }
  }

  function card(item, known) {
    var node = document.createElement('article');
    node.className = 'panel';
    var title = document.createElement('h3');
    title.textContent = item.title + (known.indexOf(item.title) < 0 ? ' (new)' : '');
    var text = document.createElement('p');
    text.textContent = item.body;
    var date = document.createElement('p');
    date.className = 'muted';
    date.textContent = item.at;
    node.append(title, text, date);
    return node;
  }

  function banner() {
    var picture = document.getElementById('banner');
    picture.onerror = function () { picture.remove(); };
    picture.src = '/img/banner-summer.webp';
  }

  function sponsors() {
    return fetch('http://127.0.0.1:@@NOBODY@@/sponsors.json').then(function (answer) { return answer.json(); }).then(function (rows) {
      document.getElementById('sponsors').textContent = rows.join(', ');
    }).catch(function () { document.getElementById('sponsors').remove(); });
  }

  fetch('/api/notices/latest').then(function (answer) { return answer.json(); }).then(function (said) {
    var known = seen();
    var host = document.getElementById('notices');
    host.replaceChildren.apply(host, said.items.map(function (item) { return card(item, known); }));
    localStorage.setItem(seenKey, JSON.stringify(said.items.map(function (item) { return item.title; })));
  });
  banner();
  sponsors();
  console.warn('[deprecated] notices.js: Harbour.legacyNotices will go with version 9');
})();
