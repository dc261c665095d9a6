// Buttons above the text. Rare blocks are loaded when they are first wanted.
(function () {
  const area = kit.$('#text');
  const loaded = new Map();

  function insert(text) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }

  async function blockNamed(name) {
    if (!loaded.has(name)) loaded.set(name, await import(`${Folio.base}/assets/editor/blocks/${name}.js`));
    return loaded.get(name);
  }

  async function uploadImage(doc) {
    const form = new FormData();
    form.append('file', new Blob(['GIF89a'], { type: 'image/gif' }), 'map.gif');
    const response = await fetch(`${document.documentElement.dataset.other}/images`, { method: 'POST', body: form });
    const image = await response.json();
    insert(`![map](${image.url})\n`);
    doc.edit(area.value);
  }

  function build(doc) {
    kit.fill(kit.$('#toolbar'), [
      kit.h('button', { id: 'bold', onclick: () => insert('*bold*') }, 'B'),
      kit.h('button', { id: 'quote', onclick: () => insert('\n> ') }, '“'),
      kit.h('button', { id: 'table', onclick: async () => insert((await blockNamed('table')).template(3, 2)) }, 'Table'),
      kit.h('button', { id: 'image', onclick: () => uploadImage(doc) }, 'Image'),
      kit.h('button', { id: 'restore', onclick: () => restore(doc) }, 'Restore draft'),
      kit.h('button', { id: 'save', onclick: () => doc.save() }, 'Save'),
    ]);
  }

  function restore(doc) {
    const draft = Folio.drafts.last(doc.id);
    area.value = draft.text;
    doc.edit(draft.text);
  }

  Folio.toolbar = { build };
})();
