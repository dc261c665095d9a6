(function () {
  var transport = new Transport({ cookie: 'obs_xsrf', header: 'X-XSRF-Token' });
  var table = document.querySelector('#users tbody');
  var note = document.querySelector('#note');
  var users = [];
  var last = {};

  function line(user) {
    var next = user.role === 'operator' ? 'astronomer' : 'operator';
    return '<tr data-user="' + user.id + '"><td>' + user.name + '</td><td class="role">' + user.role + '</td>' +
      '<td class="muted">' + (last[user.id] || '') + '</td>' +
      '<td><button type="button" data-next="' + next + '">Make ' + next + '</button></td></tr>';
  }

  function draw() {
    table.innerHTML = users.map(line).join('');
  }

  function byId(id) {
    return users.filter(function (user) { return String(user.id) === String(id); })[0];
  }

  function change(user, role) {
    var before = user.role;
    user.role = role;
    draw();
    note.textContent = '';
    transport.send('PATCH', '/api/users/' + user.id, { role: role }).then(function () {
      note.textContent = user.name + ' is now ' + role;
    }, function () {
      user.role = before;
      draw();
      note.textContent = 'You may not change this role.';
    });
  }

  table.addEventListener('click', function (event) {
    var button = event.target.closest('button');
    if (button) change(byId(button.closest('tr').dataset.user), button.dataset.next);
  });

  transport.send('GET', '/api/users').then(function (data) {
    users = data.users;
    draw();
    return transport.send('GET', '/api/users/activity');
  }).then(function (data) {
    last = data.last;
    draw();
  });
  transport.send('GET', '/api/users/avatars').catch(function () { console.warn('users: no avatars, initials are shown'); });
})();
