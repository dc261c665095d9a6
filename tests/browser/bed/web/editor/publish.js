// The form below the text.
(function () {
  const form = kit.$('#publish-form');
  const hint = form.querySelector('[data-hint]');

  function listen(doc) {
    form.headline.value = doc.title;
    form.slug.value = doc.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      hint.textContent = 'Publishing…';
      await doc.save();
      const answer = await Folio.publish(doc.id, Object.fromEntries(new FormData(form)));
      hint.textContent = `Published at ${answer.url}`;
      Folio.drafts.forget(doc.id);
    });
    form.slug.addEventListener('invalid', () => { kit.$('#more').open = true; });
  }

  Folio.publishing = { listen };
})();
