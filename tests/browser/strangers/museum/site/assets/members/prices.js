(function () {
  var list = document.getElementById('articles');
  var greeting = document.getElementById('greeting');

  function json(path, headers) {
    return fetch(path, { headers: headers || {} }).then(function (answer) {
      if (!answer.ok) throw Object.assign(new Error(path), { status: answer.status });
      return answer.json();
    });
  }

  function show(articles, reduced) {
    list.innerHTML = articles.map(function (article) {
      var price = reduced ? reduced[article.id] : article.price;
      return '<div class="row"><span>' + article.name + '</span><strong>€ ' + price + '</strong></div>';
    }).join('');
  }

  Promise.all([json('/museum/api/shop/articles'), moq.session.ready]).then(function (got) {
    return json('/museum/api/shop/member-prices', moq.session.headers()).then(function (reduced) {
      greeting.textContent = 'Welcome back. Your prices:';
      show(got[0], reduced);
    }).catch(function (error) {
      greeting.innerHTML = error.status === 403
        ? 'These prices are for members. <a href="/museum/join">Become one today</a>.'
        : 'Members\' prices come back soon.';
      show(got[0]);
    });
  });
})();
