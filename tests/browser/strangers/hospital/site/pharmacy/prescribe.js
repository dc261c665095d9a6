$(function () {
  var box = $('#drugs');

  function show(answer) {
    if (!answer.drugs.length) return box.html('<li class="quiet">No drug of this name</li>');
    box.html(answer.drugs.map(function (name) {
      return '<li><button type="button">' + $.esc(name) + '</button></li>';
    }).join(''));
  }

  function ask(text) {
    $.getJSON('/api/drugs?q=' + encodeURIComponent(text), show, function () {
      box.html('<li class="alarm">The list of drugs is not available</li>');
    });
  }

  $('#drug').on('input', function () {
    var text = $(this).val().trim();
    if (text.length < 2) return box.html('');
    if (text.length > 2) ask(text.slice(0, 2)); // a rough list at once, the server has it ready
    ask(text);
  });

  box.on('click', 'button', function () {
    $('#chosen').text('Chosen: ' + this.textContent);
  });
});
