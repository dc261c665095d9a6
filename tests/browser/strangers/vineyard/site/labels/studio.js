(function (gallery) {
  var list = document.getElementById("templates");
  var hint = document.getElementById("hint");

  function show(templates) {
    list.replaceChildren.apply(list, templates.map(function (t) {
      var item = document.createElement("li");
      item.textContent = t.name;
      return item;
    }));
    hint.textContent = templates.length ? "" : "No templates for this bottle yet.";
  }

  function choose(bottle) {
    hint.textContent = "One moment…";
    gallery.templatesFor(bottle.id).catch(function () { return []; }).then(show);
  }

  fetch("/api/bottles").then(function (r) { return r.json(); }).then(function (body) {
    body.bottles.forEach(function (bottle) {
      var button = document.createElement("button");
      button.id = bottle.id;
      button.textContent = bottle.name;
      button.addEventListener("click", function () { choose(bottle); });
      document.getElementById("bottles").append(button);
    });
  });
})(LabelGallery);
