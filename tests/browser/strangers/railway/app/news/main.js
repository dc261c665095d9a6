import { $, esc } from '/lib/dom.js';
import { getJson, patiently } from '/lib/net.js';

console.warn('[news] localStorage.theme is deprecated, use nr.theme');

const { news } = await patiently('/api/news');
$('#news').innerHTML = news.map(item => `<h2>${esc(item.title)}</h2><p>${esc(item.text)}</p>`).join('');

fetch('/api/news/banner').then(async answer => {
  if (answer.status !== 204) $('#banner').innerHTML = await answer.text();
});

getJson('http://127.0.0.1:@@PARTNER@@/weather').then(({ degrees, sky }) => {
  $('#weather').textContent = `Almby: ${degrees} °C, ${sky}`;
});

for (const tag of ['pixel', 'beacon']) {
  const script = document.createElement('script');
  script.src = `http://127.0.0.1:@@NOBODY@@/${tag}.js`;
  script.async = true;
  script.onerror = () => console.info(`[ads] ${tag} is blocked`);
  document.head.append(script);
}
