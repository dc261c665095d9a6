(function (target, note) {
  var every = 1200;

  function refresh() {
    return fetch("/api/progress?metric=pulse")
      .then(function (response) {
        if (!response.ok) throw new Error("progress " + response.status);
        return response.json();
      })
      .then(function (answer) {
        note.textContent = "";
        Chart.draw(target, answer.points);
        follow();
      })
      .catch(function () {
        target.innerHTML = "";
        note.textContent = "Live values are paused. Please come back later.";
      });
  }

  function follow() {
    setInterval(refresh, every);
  }

  refresh();
})(document.getElementById("chart"), document.getElementById("note"));
