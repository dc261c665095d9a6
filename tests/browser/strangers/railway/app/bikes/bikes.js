(function () {
  var form = Rail.byId('bike'), note = Rail.byId('note');

  function say(text) { note.textContent = text; }

  function ask(train) {
    Rail.ajax({
      method: 'POST',
      url: '/api/bikes/places',
      data: JSON.stringify({ train: train, name: form.elements.name.value }),
      success: function (data) { say('Place ' + data.place + ' on ' + data.train + ' is reserved.'); },
      fail: function (xhr) {
        if (xhr.status !== 409) { say('Please try again later.'); return; }
        var next = JSON.parse(xhr.responseText).next;
        console.warn('[bikes] ' + train + ' is full, ' + next + ' is asked');
        ask(next);
      }
    });
  }

  form.onsubmit = function (event) {
    event.preventDefault();
    if (!form.elements.name.value) { say('Please say your name.'); return; }
    say('…');
    ask(form.elements.train.value);
  };

  if (!window.jQuery) { console.error('[legacy] jQuery is not here, plain functions are used'); }
  form.style.cssText = 'border-left: 3px solid #14609e; padding-left: 1rem';
}());
