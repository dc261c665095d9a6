(function (HB) {
  'use strict';
  var model = { profile: null, membership: null, letters: [] };
  var open = 0;

  function boatLine(boat) { return boat.name + ', ' + boat.length.toFixed(1) + ' m'; }

  function draw() {
    HB.text('hello', model.profile ? 'Welcome aboard, ' + model.profile.name : 'Welcome aboard');
    HB.list('boats', model.profile && model.profile.boats.map(boatLine), 'You have not registered a boat yet.');
    if (model.membership) HB.text('member', model.membership.kind + ' since ' + model.membership.since);
    HB.list('letters', model.letters.map(function (letter) { return letter.at + ' ' + letter.title; }), 'No letters');
  }

  function part(path, keep) {
    open += 1;
    HB.get(path).ok(function (said) { keep(said); done(); }).none(done);
  }

  function done() {
    open -= 1;
    if (open === 0) {
      document.getElementById('loading').hidden = true;
      draw();
    }
  }

  part('/api/session/profile', function (said) { model.profile = said; });
  part('/api/membership', function (said) { model.membership = said; });
  part('/api/account/letters', function (said) { model.letters = said.letters; });
  HB.picture('portrait', '/img/people/4471.jpg');
  if (!window.PublicKeyCredential) console.warn('[account] passkeys are not available in this browser');
})(window.HB);
