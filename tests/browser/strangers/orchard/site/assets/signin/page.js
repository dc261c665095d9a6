(function () {
  var form = document.getElementById('signin');
  var panel = document.getElementById('account');
  var status = document.getElementById('status');
  var views = { form: form, account: panel };

  function show(name) {
    Object.keys(views).forEach(function (key) { views[key].hidden = key !== name; });
  }

  function present(account) {
    panel.querySelector('[data-name]').textContent = account.name;
    panel.querySelector('[data-balance]').textContent = '£' + account.balance.toFixed(2);
    show('account');
    status.textContent = '';
  }

  function enter() {
    return Session.account().then(present).catch(function (error) {
      if (error.status !== 401) throw error;
      form.reset();
      show('form');
      status.textContent = 'Please sign in.';
    });
  }

  form.addEventListener('submit', function (event) {
    event.preventDefault();
    status.textContent = 'One moment …';
    Session.open(form.elements.member.value, form.elements.pin.value)
      .then(function (session) {
        try { sessionStorage.setItem('orchard.name', session.name); } catch (e) { /* private window */ }
        return enter();
      })
      .catch(function (error) {
        console.warn('sign in', error.message);
        status.textContent = 'Member number or PIN is not right.';
      });
  });

  fetch('/api/signin/hints').then(function (answer) { return answer.json(); }).then(function (hint) {
    document.getElementById('hint').textContent = hint.text;
  });
  enter();
})();
