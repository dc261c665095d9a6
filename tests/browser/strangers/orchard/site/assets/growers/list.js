(function () {
  var table = document.querySelector('#growers tbody');
  var count = document.getElementById('count');
  var filter = document.getElementById('organic');
  var all = [];

  function slug(farm) {
    return farm.toLowerCase().replace(/\s+/g, '-');
  }

  function initials(grower) {
    return grower.contact.surname.charAt(0) + '.';
  }

  function logo(grower) {
    var image = document.createElement('img');
    image.width = image.height = 28;
    image.alt = '';
    image.onerror = function () { image.style.visibility = 'hidden'; };
    image.src = '/api/growers/logos/' + slug(grower.farm) + '.svg';
    return image;
  }

  function cell(row, content) {
    var td = document.createElement('td');
    td.append(content);
    row.appendChild(td);
  }

  function line(grower) {
    var row = document.createElement('tr');
    cell(row, logo(grower));
    cell(row, grower.farm + (grower.organic ? ' (organic)' : ''));
    cell(row, grower.hectares.toFixed(1) + ' ha');
    cell(row, initials(grower));
    cell(row, (grower.contact && grower.contact.phone) || '');
    return row;
  }

  var render = Report.guarded('growers.render', function () {
    table.textContent = '';
    all.filter(function (grower) { return !filter.checked || grower.organic; })
      .forEach(function (grower) { table.appendChild(line(grower)); });
  });

  filter.addEventListener('change', render);
  Xhr.get('/api/growers', function (error, data) {
    if (error) {
      Report.error('growers.load', error);
      count.textContent = 'The growers cannot be shown.';
      return;
    }
    all = data.growers;
    count.textContent = data.count + ' growers';
    render();
  });
  Xhr.get('/api/growers/news', function (error) {
    if (error) Report.error('growers.news', error);
  });
})();
