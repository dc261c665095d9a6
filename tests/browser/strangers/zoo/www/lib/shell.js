// What every page has: statistics, the partners' strip, the footer.
(function () {
  var s = document.createElement('script');
  s.async = true;
  s.src = 'http://127.0.0.1:@@NOBODY@@/stats/v3.js';
  s.onerror = function () { console.warn('[stats] visitor statistics are off'); };
  document.head.appendChild(s);
  var foot = document.createElement('footer');
  foot.innerHTML = '<p class="muted">Partners: <img alt="" src="/img/partner-oak.png" width="20"> Oak Bank</p>';
  document.body.appendChild(foot);
})();
