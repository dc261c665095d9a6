// How the text will look.
(function () {
  const root = kit.$('#preview');

  function draw(doc) {
    kit.fill(root, Marks.render(doc.text));
    kit.$('#words').textContent = `${doc.words()} words`;
  }

  Folio.preview = { draw };
})();
