(function () {
  function row(task) {
    var line = document.createElement('li');
    var button = document.createElement('button');
    line.appendChild(document.createTextNode(task.what + ' '));
    button.id = 'done-' + task.id;
    button.textContent = 'Done';
    button.onclick = function () {
      Upkeep.ask('PUT', '/api/upkeep/tasks/' + task.id, { done: true, rev: task.rev }, function (error) {
        if (error === null) { button.disabled = true; button.textContent = 'Finished'; } else { button.textContent = 'Once more'; }
      });
    };
    line.appendChild(button);
    return line;
  }

  Upkeep.ask('GET', '/api/upkeep/tasks', null, function (error, data) {
    data.tasks.forEach(function (task) { document.getElementById('tasks').appendChild(row(task)); });
  });
  Upkeep.ask('GET', '/api/upkeep', null, function (error, data) {
    document.getElementById('zones').textContent = data.zones.join(', ');
  });
})();
