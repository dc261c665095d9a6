(function () {
  function start() {
    var plan = document.getElementById('plan');
    var now = document.getElementById('now');
    fetch('/api/stages/plan').then(function (answer) { return answer.json(); }).then(function (data) {
      now.innerHTML = data.stages.map(function (stage) { return '<li>' + stage.name + '</li>'; }).join('');
      if (!window.Wayfinder) {
        plan.innerHTML = '<p class="muted">The plan cannot be shown on this device.</p>';
        return;
      }
      plan.innerHTML = window.Wayfinder.draw(data.stages);
    });
  }
  document.addEventListener('DOMContentLoaded', start);
})();
