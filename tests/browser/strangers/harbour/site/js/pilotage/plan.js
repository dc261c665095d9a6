(function (app) {
  function row(cells) {
    var tr = document.createElement('tr');
    cells.forEach(function (cell) {
      var td = document.createElement('td');
      td.textContent = cell;
      tr.appendChild(td);
    });
    return tr;
  }

  function ask(path) {
    return fetch(path).then(function (answer) {
      if (!answer.ok) { throw new Error(path + ' ' + answer.status); }
      return answer.json();
    });
  }

  function showLegs(said) {
    var body = document.getElementById('legs');
    body.innerHTML = '';
    said.legs.forEach(function (leg) {
      body.appendChild(row([leg.from, leg.to, app.sums.course(leg), app.sums.miles(leg), app.sums.time(leg, said.speed)]));
    });
    document.getElementById('speed').textContent = said.speed + ' kn';
  }

  function showWarnings(said) {
    var list = document.getElementById('warnings');
    said.warnings.forEach(function (text) {
      var li = document.createElement('li');
      li.textContent = text;
      list.appendChild(li);
    });
  }

  document.addEventListener('DOMContentLoaded', function () {
    ask('/api/pilotage/legs').then(showLegs);
    ask('/api/pilotage/warnings').then(showWarnings);
    ask('/api/pilotage/ice').catch(function (e) { console.warn('No ice report in this season: ' + e.message); });
  });
})(window.Pilotage);
