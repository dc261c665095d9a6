(function () {
  var filter = document.getElementById('role');
  var rows = document.getElementById('rows');
  var count = document.getElementById('count');

  function show(users) {
    rows.textContent = '';
    users.forEach(function (user) {
      var tr = rows.insertRow();
      tr.insertCell().textContent = user.name;
      tr.insertCell().textContent = user.role;
    });
    count.textContent = users.length + (users.length === 1 ? ' user' : ' users');
  }

  async function load(role) {
    var response = await fetch('/prairie/api/users?role=' + encodeURIComponent(role));
    var body = await response.json();
    show(body.users);
  }

  filter.addEventListener('change', function () { load(filter.value); });
  load('');

  var wanted = new URLSearchParams(location.search).get('role');
  if (wanted) {
    filter.value = wanted;
    filter.dispatchEvent(new Event('change'));
  }
})();
