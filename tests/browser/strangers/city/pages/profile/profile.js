document.addEventListener('DOMContentLoaded', function () {
  var form = document.getElementById('profile');

  function fill(p) {
    form.elements.name.value = p.name;
    form.elements.email.value = p.email;
    form.elements.sms.checked = p.notify.sms;
  }

  function read() {
    return { name: form.elements.name.value, email: form.elements.email.value, notify: { sms: form.elements.sms.checked, email: true } };
  }

  form.addEventListener('submit', function (ev) {
    ev.preventDefault();
    Drafts.save(read());
    var info = document.getElementById('info');
    info.className = 'ok';
    info.textContent = 'Your draft is kept in this browser.';
  });

  var draft = Drafts.load();
  if (draft) return fill(draft);
  fetch('/api/profile').then(function (r) { return r.json(); }).then(fill);
});
