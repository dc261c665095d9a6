(function () {
  var animals = [];
  function adopt() {
    zq.ajax({ url: '/api/adoptions', type: 'POST', data: { animal: animals[1].name }, success: refresh });
  }
  function bind() { zq('#adopt').on('click', function () { adopt(); }); }
  function render() {
    zq('#animals').html(animals.map(function (a) { return '<li>' + a.name + ' – ' + a.fee + ' EUR</li>'; }).join(''));
    bind();
  }
  function refresh() {
    zq.ajax({ url: '/api/adoptions', success: function (mine) {
      zq('#mine').html(mine.map(function (m) { return '<li>' + m + '</li>'; }).join('') || '<li>none yet</li>');
      zq('#sum').text(mine.length * 40 + ' EUR a year');
    } });
  }
  zq.ajax({ url: '/api/adoptions/animals', success: function (rows) { animals = rows; render(); } });
  bind();
  refresh();
})();
