(function () {
  fetch('/summit/api/courses/12')
    .then(function (r) { return r.json(); })
    .then(function (body) {
      document.getElementById('course').textContent = body.course.title + ', ' + (body.course.price_cents / 100).toFixed(2) + ' €';
    });
  var email = document.getElementById('email');
  email.addEventListener('change', function () { email.value = email.value.trim().toLowerCase(); });
})();
