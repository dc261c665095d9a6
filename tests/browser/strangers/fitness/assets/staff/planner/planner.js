var Planner = (function () {
  var NAMES = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

  function ajax(method, path, data, done) {
    var request = new XMLHttpRequest();
    request.onreadystatechange = function () {
      if (request.readyState === 4) done(request.status, JSON.parse(request.responseText || "null"));
    };
    request.open(method, path);
    request.setRequestHeader("Content-Type", "application/json");
    request.send(data ? JSON.stringify(data) : null);
  }

  function two(n) { return (n < 10 ? "0" : "") + n; }

  function isoDay(date) {
    return date.getFullYear() + "-" + two(date.getMonth() + 1) + "-" + two(date.getDate());
  }

  function spoken(day) {
    var parts = day.split("-");
    return Number(parts[2]) + " " + NAMES[Number(parts[1]) - 1] + " " + parts[0];
  }

  function chosen(form) {
    return new Date(Number(form.year.value), Number(form.month.value), Number(form.day.value));
  }

  function list() {
    ajax("GET", "/api/courses", null, function (status, courses) {
      var rows = "";
      for (var i = 0; i < courses.length; i++) {
        rows += "<tr><td>" + courses[i].title + "</td><td>" + spoken(courses[i].starts_on) + "</td></tr>";
      }
      document.getElementById("courses").innerHTML = rows;
    });
  }

  function save(form) {
    ajax("POST", "/api/courses", { title: form.title.value, starts_on: isoDay(chosen(form)) }, function (status) {
      document.getElementById("said").innerHTML = status === 201 ? "The course is planned." : "Not saved.";
      list();
    });
  }

  return {
    start: function () {
      var form = document.forms.course, i;
      for (i = 0; i < NAMES.length; i++) form.month.options.add(new Option(NAMES[i], String(i + 1)));
      for (i = 1; i <= 28; i++) form.day.options.add(new Option(String(i)));
      form.month.value = "3";
      form.day.value = "5";
      form.onsubmit = function () { save(form); return false; };
      list();
    }
  };
})();
Planner.start();
