(async function () {
  const area = kit.$('#text');
  const doc = new Folio.OpenDocument(await Folio.load(7));

  function show() {
    area.value = doc.text;
    kit.$('#title').textContent = doc.title;
  }

  Folio.offline.reserve();
  show();
  doc.lock();
  Folio.toolbar.build(doc);
  Folio.preview.draw(doc);
  Folio.publishing.listen(doc);

  const autosave = kit.debounce(() => doc.save(), 400);
  area.addEventListener('input', () => doc.edit(area.value));
  doc.events.on('edited', () => {
    kit.$('#saved').textContent = 'Unsaved changes';
    Folio.drafts.keep(doc);
    Folio.preview.draw(doc);
    autosave();
  });
  doc.events.on('saved', (answer) => {
    kit.$('#saved').textContent = `Saved, version ${answer.version}`;
  });

  let typing = null;
  area.addEventListener('input', () => {
    const word = area.value.split(/\s+/).pop();
    if (typing) typing.abort();
    if (word.length < 3) return;
    typing = new AbortController();
    Folio.suggest(word, typing.signal)
      .then((answer) => { area.dataset.suggestion = answer.words[0] || ''; })
      .catch((error) => { if (error.name !== 'AbortError') console.info('[suggest]', error.message); });
  });

  Folio.collaborators(doc.id).then((answer) => {
    if (!answer.people.length) return;
    Folio.carets.follow(answer.people);
    kit.$('#title').append(` · with ${answer.people.join(', ')}`);
  });
})();
