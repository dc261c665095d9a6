(function (bus) {
  var text = document.getElementById("desk-session").textContent;
  var session = JSON.parse(text);
  session.openedAt = Date.now();
  bus.emit("session", session);
})(window.deskBus);
