(function () {
  // the widget brings what it needs
  document.write('<script src="/tickets/vendor/jlite-1.1.js"><\/script>');
  document.getElementById('feedback').innerHTML = '<a href="#feedback" class="muted">Was this page helpful?</a>';
})();
