(async () => {
  const host = document.querySelector('#map');
  const origin = { e: 3458000, n: 5640000, metres: 4 };

  for (let x = 0; x < 5; x++) for (let y = 0; y < 3; y++) {
    const img = new Image(128, 128);
    img.alt = '';
    img.style.cssText = `left:${x * 128}px;top:${y * 128}px`;
    img.onerror = () => { const d = document.createElement('div'); d.className = 'outside'; d.style.cssText = img.style.cssText; img.replaceWith(d); };
    img.src = `/tiles/12/${x}/${y}.svg`;
    host.append(img);
  }

  const renderer = Renderers.best(host);
  const toPixel = ([e, n]) => [(e - origin.e) / origin.metres, 384 - (n - origin.n) / origin.metres];
  const inside = ([x, y]) => x >= 0 && x <= 640 && y >= 0 && y <= 384;

  const layers = await (await fetch('/api/planning/layers')).json();
  const results = await Promise.allSettled(layers.map(async (layer) => {
    const answer = await fetch(`/api/planning/layers/${layer.key}`);
    if (answer.status === 403) return { layer, locked: true };
    if (!answer.ok) throw new Error(`${layer.key}: ${answer.status}`);
    return { layer, features: (await answer.json()).features };
  }));

  let seen = 0, all = 0;
  const list = document.querySelector('#layers');
  for (const { value } of results) {
    const li = document.createElement('li');
    li.textContent = value.locked ? `${value.layer.title} – for staff only` : `${value.layer.title} (${value.features.length})`;
    li.className = value.locked ? 'muted' : '';
    list.append(li);
    for (const f of value.features ?? []) {
      all++;
      const at = toPixel(f.at);
      if (!inside(at)) continue;
      seen++;
      renderer.point(at[0], at[1], value.layer.colour, () => show(f), `f-${f.slug}`);
    }
  }
  document.querySelector('#inview').textContent = `${seen} of ${all} entries are in this part of the map.`;

  async function show(f) {
    const d = await (await fetch(`/api/planning/applications/${f.slug}`)).json();
    document.querySelector('#detail').innerHTML = `<div class="card"><b>${d.title}</b><br>File ${d.number} · ${d.status}<br>Decision: ${d.decision ?? 'not taken yet'}</div>`;
  }
})();
