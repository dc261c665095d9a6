(function () {
  var NAMES = { vale: 'The Vale', ridge: 'The Ridge', coast: 'The Coast' };
  var title = document.getElementById('title');
  var list = document.getElementById('list');
  var tabs = [].slice.call(document.querySelectorAll('[data-district]'));
  var counts = {};

  function card(member) {
    var item = document.createElement('div');
    item.className = 'card';
    item.innerHTML = '<strong></strong><br><span class="muted"></span>';
    item.querySelector('strong').textContent = member.name;
    item.querySelector('span').textContent = 'member since ' + member.since + ', ' + member.shares + ' shares';
    return item;
  }

  function render(model) {
    title.textContent = 'Members of ' + NAMES[model.district] + (counts[model.district] ? ' (' + counts[model.district] + ')' : '');
    tabs.forEach(function (tab) {
      tab.setAttribute('aria-selected', String(tab.dataset.district === model.district));
    });
    list.classList.toggle('muted', model.busy);
    list.textContent = '';
    model.members.forEach(function (member) { list.appendChild(card(member)); });
    if (!model.busy && !model.members.length) list.textContent = 'Nobody yet.';
  }

  Directory.onChange(render);
  tabs.forEach(function (tab) {
    tab.addEventListener('click', function () {
      Directory.choose(tab.dataset.district);
      fetch('/api/telemetry', { method: 'POST', body: 'tab=' + tab.dataset.district, keepalive: true }).catch(function () {});
    });
  });
  Directory.summary().then(function (summary) { counts = summary; });
  Directory.choose('vale');
  Directory.preferred().then(function (district) {
    if (district && NAMES[district]) Directory.choose(district);
  });
  fetch('/api/members/birthdays').then(function (answer) {
    if (!answer.ok) console.warn('directory: no birthdays');
  });
})();
