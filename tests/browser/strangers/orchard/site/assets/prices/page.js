(function () {
  var tabs = new Tabs(document.getElementById('tabs'));
  var today = document.querySelector('#panel-today tbody');
  var caption = document.getElementById('caption');

  function getJson(path) {
    return fetch(path).then(function (answer) {
      if (!answer.ok) throw new Error(path + ': ' + answer.status);
      return answer.json();
    });
  }

  function row(price) {
    var tr = document.createElement('tr');
    [price.fruit, (price.pence / 100).toFixed(2) + ' £/kg'].forEach(function (text) {
      tr.appendChild(document.createElement('td')).textContent = text;
    });
    return tr;
  }

  getJson('/api/prices/today').then(function (prices) {
    prices.forEach(function (price) { today.appendChild(row(price)); });
  });

  var chart = new LineChart(document.getElementById('history'), { colour: '#a8432f' });
  getJson('/api/prices/history').then(function (history) {
    caption.textContent = history.fruit + ', pence a kilo, by week';
    chart.data(history.weeks.map(function (week) { return { label: 'w' + week.week, value: week.pence }; }));
  });

  getJson('/api/prices/outlook').catch(function (error) { console.warn('prices: no outlook', error.message); });

  tabs.events.on('select', function (id) {
    if (window.beacon) window.beacon.send('tab', { id: id });
  });
  tabs.select('tab-today');
  if (!('ariaDescription' in document.body)) console.warn('prices: no descriptions for readers');
})();
