(function ($) {
  'use strict';

  var Gallery = {
    host: null,

    load: function (done) {
      $.getJSON('/api/pictures', function (answer) {
        var html = answer.pictures.map(function (p) { return '<img src="' + p.src + '" alt="' + p.caption + '">'; }).join('');
        Gallery.host.html(html);
        done(answer.pictures);
      });
    },

    enhance: function () {
      if (!$.fn.slides) return;
      Gallery.host.slides({
        caption: function (text, no, of) { $('#caption').text(no + ' of ' + of + ': ' + text); }
      });
    },

    buttons: function () {
      $('#next').on('click', function () { Gallery.tell('slides:next'); });
      $('#previous').on('click', function () { Gallery.tell('slides:prev'); });
      document.addEventListener('keydown', function (event) {
        if (event.key === 'ArrowRight') Gallery.tell('slides:next');
        if (event.key === 'ArrowLeft') Gallery.tell('slides:prev');
      });
    },

    tell: function (name) {
      Gallery.host.each(function () { this.dispatchEvent(new CustomEvent(name)); });
    },

    likes: function () {
      $.ajax({
        url: '/api/pictures/likes',
        success: function (likes) { $('#likes').text(likes.total + ' like this'); },
        error: function () { console.warn('likes are off for this season'); }
      });
    }
  };

  $(function () {
    Gallery.host = $('.slides');
    Gallery.buttons();
    Gallery.load(function (pictures) {
      $('#caption').text(pictures.length + ' pictures');
      Gallery.enhance();
    });
    Gallery.likes();
  });
})(window.$);
