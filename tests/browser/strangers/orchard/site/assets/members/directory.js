/* Members by district. */
var Directory = (function () {
  var bus = new Emitter();
  var model = { district: null, members: [], busy: false };

  function fetchDistrict(district) {
    return fetch('/api/members?district=' + encodeURIComponent(district), { headers: { Accept: 'application/json' } })
      .then(function (answer) {
        if (!answer.ok) throw new Error('members: ' + answer.status);
        return answer.json();
      });
  }

  function choose(district) {
    model.district = district;
    model.busy = true;
    bus.emit('change', model);
    fetchDistrict(district)
      .then(function (data) {
        model.members = data.members;
        model.busy = false;
        bus.emit('change', model);
      })
      .catch(function (error) {
        console.warn('directory', error);
        model.members = [];
        model.busy = false;
        bus.emit('change', model);
      });
  }

  return {
    choose: choose,
    preferred: function () {
      return fetch('/api/members/preferences')
        .then(function (answer) { return answer.ok ? answer.json() : {}; })
        .then(function (preferences) { return preferences.district; });
    },
    onChange: function (handler) { bus.on('change', handler); },
    summary: function () { return fetch('/api/members/summary').then(function (answer) { return answer.json(); }); }
  };
})();
