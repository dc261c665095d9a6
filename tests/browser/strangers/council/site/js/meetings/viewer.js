/** Shows a document in the viewer of the archive, or a link to it when the archive does not want to be framed. */
export function view(box, { frame, download, title }, patience = 1500) {
  const el = document.createElement('iframe');
  el.src = frame;
  el.title = title;
  el.width = 600;
  el.height = 300;
  box.replaceChildren(el);
  return new Promise((resolve) => {
    const ready = (e) => { if (e.source === el.contentWindow && e.data === 'viewer:ready') end('frame'); };
    const timer = setTimeout(() => end('link'), patience);
    const end = (how) => {
      clearTimeout(timer);
      removeEventListener('message', ready);
      if (how === 'link') {
        const a = Object.assign(document.createElement('a'), { href: download, textContent: `Open “${title}” (PDF)` });
        const p = document.createElement('p');
        p.className = 'card';
        p.append(a);
        box.replaceChildren(p);
      }
      resolve(how);
    };
    addEventListener('message', ready);
  });
}
