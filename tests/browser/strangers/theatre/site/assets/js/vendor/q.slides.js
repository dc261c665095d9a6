/*! q.slides 0.9 - slides for q */
(function ($) {
  $.fn.slides = function (options) {
    return this.each(function () {
      var host = this;
      var at = 0;
      var pictures = Array.from(host.querySelectorAll('img'));
      function show(n) {
        at = (n + pictures.length) % pictures.length;
        pictures.forEach(function (p, i) { p.classList.toggle('on', i === at); });
        if (options && options.caption) options.caption(pictures[at].alt, at + 1, pictures.length);
      }
      host.classList.add('ready');
      host.addEventListener('slides:next', function () { show(at + 1); });
      host.addEventListener('slides:prev', function () { show(at - 1); });
      show(0);
    });
  };
})(window.$);
