$.ready(function () {
  function row(t) {
    return '<tr><td>' + t.id + '</td><td>' + t.title + '</td><td>' + t.age + '</td></tr>';
  }

  function load() {
    $.getJSON('/api/tickets', function (answer) {
      $('#tickets tbody').html(answer.rows.map(row).join(''));
    });
  }

  $('#tickets').sorter({ column: 2 });
  $('#reload').on('click', load);
  load();
});
