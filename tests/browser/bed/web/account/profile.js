(function (ns) {
  var base = document.documentElement.getAttribute('data-base');
  var csrf = null;

  function draw(profile) {
    kit.$('#who').textContent = profile.name;
    kit.$('#signout').hidden = false;
    kit.$('#settings').hidden = false;
    kit.$('#new-email').value = profile.email;
    listen();
    kit.fill(kit.$('#profile'), [
      kit.h('h1', null, ns.fillIn('welcome', { name: profile.name })),
      kit.h('p', null, profile.email),
      kit.h('p', { class: 'muted' }, ns.fillIn('since', { year: profile.since })),
      kit.h('button', { id: 'usage', onclick: function () { usage(profile); } }, ns.text('usage')),
    ]);
  }

  function usage(profile) {
    return ns.call('GET', '/api/usage?period=' + profile.period).then(function (answer) {
      var most = answer.days.reduce(function (a, b) { return a.used > b.used ? a : b; });
      kit.$('#profile').append(kit.h('p', null, ns.fillIn('peak', { day: most.day, used: most.used })));
    });
  }

  function listen() {
    ns.onSubmit(kit.$('#email-form'), function (values) {
      return ns.call('POST', '/api/email', values, { 'X-CSRF-Token': csrf }).then(function () {
        ns.notice('Your email is changed.');
      }, function () {
        ns.notice('Something went wrong. Please try again.');
      });
    });

    ns.onSubmit(kit.$('#prefs-form'), function (values) {
      return ns.call('PUT', '/api/preferences', values).catch(function (failure) {
        console.info('[prefs] kept locally', failure.status);
      }).then(function () { return ns.loadTexts(values.language); });
    });
  }

  kit.$('#signout').addEventListener('click', function () {
    ns.call('POST', '/api/logout').finally(function () { location.href = base + '/account'; });
  });

  ns.call('GET', '/api/csrf').then(function (answer) { csrf = answer.token; }, function () { csrf = ''; });

  ns.call('GET', '/api/profile')
    .then(function (profile) {
      return ns.loadTexts(profile.language).then(function () {
        draw(profile);
        return ns.showBilling(profile.customer);
      });
    })
    .catch(function (failure) {
      if (failure.status !== 401) throw failure;
      kit.fill(kit.$('#profile'), [kit.h('p', { role: 'alert', class: 'alert' }, 'Your session has ended. Please sign in again.'),
        kit.h('a', { href: base + '/account' }, 'Sign in')]);
    });
})(Account);
