(function (ns) {
  var base = document.documentElement.getAttribute('data-base');

  ns.onSubmit(kit.$('#signin'), function (values) {
    return ns.call('POST', '/api/login', values).then(function (answer) {
      telemetry.track('signed_in', answer.user);
      telemetry.flush();
      location.href = base + '/account/profile';
    }, function (failure) {
      ns.notice(failure.status === 401 ? 'Email or password is wrong.' : 'Signing in is not possible right now.');
    });
  });

  ns.call('GET', '/api/me').then(function () {
    location.replace(base + '/account/profile');
  }, function () {
    kit.$('#email').focus();
  });
})(Account);
