import { http } from '/assets/lib/http.js';

const $ = selector => document.querySelector(selector);

async function tonight() {
  const data = await http.get('/api/tonight');
  $('#sun').textContent = `Sunset ${data.sunset}, dark from ${data.dark}, moon ${data.moon}`;
  $('#cards').replaceChildren(...data.cards.map(card => {
    const element = document.createElement('section');
    element.className = 'card';
    element.innerHTML = `<h3></h3><p></p>`;
    element.querySelector('h3').textContent = card.title;
    element.querySelector('p').textContent = card.value;
    return element;
  }));
}

async function greeting() {
  try {
    const { name } = await http.get('/api/me');
    $('#hello').textContent = `Good evening, ${name}`;
  } catch {
    $('#hello').textContent = 'Good evening';
  }
}

async function recommendations() {
  const host = $('#more');
  try {
    const { items } = await http.get('/api/recommendations', {}, { signal: AbortSignal.timeout(1500) });
    host.textContent = items.join(', ');
  } catch (error) {
    console.warn('[home] recommendations took too long, the usual ones are shown', error.name);
    host.textContent = 'Winter sky at the planetarium';
  }
}

function partnerPixel() {
  const pixel = new Image();
  pixel.onerror = () => console.warn('[home] partner pixel was not counted');
  pixel.src = 'http://127.0.0.1:@@NOBODY@@/pixel.gif';
}

try {
  document.querySelector('video').play().catch(() => { });
} catch (error) {
  console.info('[home] no video on this page');
}
await Promise.all([tonight(), greeting()]);
partnerPixel();
recommendations();
