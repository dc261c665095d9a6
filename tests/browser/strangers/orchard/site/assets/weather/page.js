(function () {
  var stations = new Stations({ timeout: 5000 });
  var now = document.getElementById('now');
  var days = document.getElementById('days');
  var frost = document.getElementById('frost');
  var sun = document.getElementById('sun');

  function quietly(promise, otherwise) {
    return promise.catch(function (error) {
      if (error.name !== 'TypeError') console.warn('weather:', error.message);
      return otherwise;
    });
  }

  function showNow(reading) {
    now.textContent = reading ? reading.station + ': ' + reading.celsius.toFixed(1) + ' °C, wind ' + reading.wind + ' km/h' : 'The station is silent.';
  }

  function showSun(times) {
    sun.textContent = times ? 'Sunrise ' + times.rise : '';
  }

  function showDays(forecast) {
    days.textContent = '';
    if (!forecast.days.length) {
      days.textContent = 'No forecast for this week.';
      frost.textContent = 'Frost warning: unknown';
      return;
    }
    forecast.days.forEach(function (day) {
      var card = document.createElement('div');
      card.className = 'card';
      card.textContent = day.day + ': ' + day.low + ' to ' + day.high + ' °C';
      days.appendChild(card);
    });
    var cold = forecast.days.filter(function (day) { return day.low < 0; });
    frost.textContent = cold.length ? 'Frost warning: ' + cold.map(function (day) { return day.day; }).join(', ') : 'No frost expected';
  }

  quietly(stations.now()).then(showNow)
    .then(function () { return quietly(stations.sun()); }).then(showSun)
    .then(function () { return quietly(stations.forecast(), { days: [] }); }).then(showDays);
})();
