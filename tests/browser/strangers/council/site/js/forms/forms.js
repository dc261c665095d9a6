(async function () {
  const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const count = document.getElementById('count');
  const list = new VirtualList(document.getElementById('window'), document.getElementById('pad'), {
    height: 30,
    render(row, f) { row.textContent = `${f.no} · ${f.title} (${f.lang?.join(', ') ?? 'German'})`; },
  });
  const hint = Object.assign(document.createElement('link'), { rel: 'prefetch', href: '/api/forms/texts?part=all' });
  document.head.append(hint);

  const raw = await (await fetch('/api/forms')).json();
  const current = raw.forms.filter((f) => !f.withdrawn).sort((a, b) => order.compare(a.title, b.title) || order.compare(a.no, b.no));
  hint.remove();

  addEventListener('error', (e) => console.error('[forms]', e.message));
  // whole rows only
  new ResizeObserver(([{ target, contentRect }]) => {
    target.style.height = `${Math.floor(contentRect.height / 30) * 30}px`;
    list.draw();
  }).observe(document.getElementById('window'));

  let timer;
  const show = (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = current.filter((f) => words.every((w) => f.title.toLowerCase().includes(w)));
    count.textContent = words.length ? `${hits.length} of ${current.length} forms` : `${current.length} forms (${raw.forms.length - current.length} withdrawn ones are left out)`;
    list.set(hits);
  };
  document.getElementById('filter').addEventListener('input', (e) => { clearTimeout(timer); timer = setTimeout(show, 120, e.target.value); });
  show('');
})();
