const search = (() => {
  let latest = 0;
  const hits = document.getElementById('hits');
  const none = document.getElementById('none');
  const show = (list) => {
    hits.innerHTML = '';
    list.forEach(({ t, h }) => { hits.insertAdjacentHTML('beforeend', `<li>${t}, about €${Math.round(h / 10) * 10} a month</li>`); });
  };
  return (q) => {
    const own = ++latest;
    fetch('/api/jobs/search?q=' + encodeURIComponent(q)).then(async (r) => {
      const answer = await r.json();
      if (own !== latest) { console.warn(`jobs: answer for "${q}" came late and is left aside`); return; }
      if (r.status === 404) {
        show([]);
        none.textContent = `There is no job as “${q}” at the moment. Perhaps: ${answer.near.join(', ')}?`;
        return;
      }
      none.textContent = '';
      show(answer.hits);
    });
  };
})();
document.getElementById('q').addEventListener('input', (e) => search(e.target.value.trim()));
search('');
fetch('/api/jobs/mine').then((r) => r.json()).then(({ last }) => {
  const field = document.getElementById('q');
  if (!last || field.value) return;
  field.value = last;
  search(last);
});
