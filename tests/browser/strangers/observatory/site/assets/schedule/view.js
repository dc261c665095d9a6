const escape = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

function row(block) {
  return `<tr><td>${escape(block.start)}</td><td>${escape(block.title)}</td>` +
    `<td>${escape(block.observer)}</td><td>${block.minutes} min</td></tr>`;
}

export function render(root, store) {
  const { summary, moon, loading, night } = store.state;
  root.querySelector('#head').textContent = summary
    ? `${summary.blocks} blocks in the night of ${night}, ${summary.dark_hours} dark hours` : 'Reading the night plan';
  root.querySelector('#moon').textContent = moon ? `Moon ${Math.round(moon.phase * 100)} %, rises ${moon.rises}` : '';
  root.querySelector('#rows').innerHTML = loading
    ? '<tr><td colspan="4" class="muted">Loading</td></tr>'
    : store.visible.map(row).join('');
  root.querySelector('#foot').textContent = loading ? '' :
    `End of schedule. ${(store.minutes / 60).toFixed(1)} h on sky.`;
  const select = root.querySelector('#observer');
  if (select.options.length !== store.observers.length + 1) {
    select.innerHTML = '<option value="">All observers</option>' +
      store.observers.map(name => `<option>${escape(name)}</option>`).join('');
  }
}
