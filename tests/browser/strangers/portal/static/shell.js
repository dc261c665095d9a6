/* Header, account badge and footer year: on every page, before the page's own scripts. */
(function () {
  "use strict";

  function fill(selector, text) {
    var node = document.querySelector(selector);
    if (node) node.textContent = text;
  }

  function markCurrent() {
    var here = location.pathname;
    document.querySelectorAll("header nav a").forEach(function (a) {
      var section = a.getAttribute("href");
      if (section !== "/" && here.indexOf(section.replace(/\/[^/]*$/, "")) === 0) a.className = "current";
    });
  }

  function loadAccount() {
    return fetch("/api/me", { credentials: "same-origin" })
      .then(function (res) {
        if (res.status === 401) return null;
        return res.json();
      })
      .then(function (me) {
        fill("#account", me ? me.name : "Sign in");
        document.dispatchEvent(new CustomEvent("wh:account", { detail: me }));
      });
  }

  document.addEventListener("DOMContentLoaded", function () {
    markCurrent();
    loadAccount();
    fill("#year", new Date().getFullYear());
  });
})();
