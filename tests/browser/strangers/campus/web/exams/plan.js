(function () {
  var state = document.getElementById('state');
  Transport.get(function (error, doc) {
    if (error) { state.textContent = 'Your exams cannot be loaded. Please call the exam office.'; return; }
    var epoch = Date.parse(doc.documentElement.getAttribute('epoch') + 'T00:00:00Z');
    var all = Array.prototype.slice.call(doc.getElementsByTagName('exam'));
    var real = all.filter(function (e) { return !e.getElementsByTagName('ref').length; });
    real.forEach(function (e) {
      var titles = Array.prototype.slice.call(e.getElementsByTagName('title'));
      var title = titles.find(function (t) { return t.getAttribute('xml:lang') === 'en'; });
      if (!title) { console.warn('exam ' + e.getAttribute('nr') + ': no English title, German is taken'); title = titles[0]; }
      var day = new Date(epoch + e.getAttribute('day') * 864e5);
      var at = e.getAttribute('at');
      var tr = document.getElementById('list').insertRow();
      [day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }), at.slice(0, 2) + ':' + at.slice(2),
        title.textContent, e.getAttribute('room') || 'room follows'].forEach(function (t) { tr.insertCell().textContent = t; });
    });
    state.textContent = 'You are registered for ' + real.length + ' exams.';
  });
})();
