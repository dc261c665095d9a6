(function ($) {
  'use strict';

  function Press(root) {
    this.root = $(root);
    this.files = [];
  }

  Press.prototype.news = function () {
    $.getJSON('/api/press/news', function (items) {
      var html = items.map(function (n) { return '<li>' + n.date + ' ' + n.title + '</li>'; }).join('');
      $('#news').html(html);
    });
  };

  Press.prototype.kit = function () {
    var me = this;
    $('#kit').html('<p class="spin">Collecting pictures ...</p>');
    $.ajax({
      url: '/api/press/kit',
      success: function (kit) { me.files = kit.files; me.render(); },
      error: function () { me.files = []; me.render(); }
    });
  };

  Press.prototype.render = function () {
    if (!this.files.length) {
      $('#kit').html('<p>The press kit of this season is being put together. Please come back later.</p>');
      return;
    }
    $('#kit').html('<ul>' + this.files.map(function (f) {
      return '<li><a href="' + f.href + '">' + f.name + '</a> (' + f.size + ')</li>';
    }).join('') + '</ul>');
  };

  Press.prototype.accreditation = function () {
    var me = this;
    this.root.on('click', '#accredit', function () {
      $(this).prop('disabled', true).text('We will write to you');
      if (window.insights) window.insights.hit('accredit', me.files.length);
    });
  };

  $(function () {
    var press = new Press('main');
    press.accreditation();
    press.news();
    press.kit();
    $.ajax({
      url: '/api/press/contact-photo',
      success: function (p) { $('#contact').append('<img src="' + p.src + '">'); },
      error: function () { $('#contact').addClass('plain'); }
    });
  });
})(window.$);
