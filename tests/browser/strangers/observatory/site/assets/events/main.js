import { http } from '/assets/lib/http.js';

const list = document.querySelector('#events');
const prefetched = new Map();

function prefetch(id) {
  if (prefetched.has(id)) return;
  const abort = new AbortController();
  prefetched.set(id, abort);
  http.get(`/api/events/${id}`, {}, { signal: abort.signal }).catch(error => {
    prefetched.delete(id);
    if (error.name !== 'AbortError') console.debug('[events] prefetch', error.message);
  });
}

function cancel(id) {
  prefetched.get(id)?.abort('not needed');
}

function item(event) {
  const element = document.createElement('article');
  element.className = 'card';
  element.innerHTML = '<h3></h3><p></p>';
  element.querySelector('h3').textContent = event.title;
  element.querySelector('p').textContent = event.when;
  element.addEventListener('pointerenter', () => prefetch(event.id));
  element.addEventListener('pointerleave', () => cancel(event.id));
  return element;
}

async function crowd() {
  const { level } = await http.get('/api/events/crowd');
  document.querySelector('#crowd').textContent = `Usually ${level}`;
}

const calendar = async () => {
  try {
    const { Calendar } = await import('/assets/events/calendar.js');
    document.querySelector('#calendar').append(new Calendar().element);
  } catch (error) {
    console.warn('[events] the list is enough', error);
  }
};

const { events } = await http.get('/api/events');
list.replaceChildren(...events.map(item));
prefetch(1);
setTimeout(() => cancel(1), 120);
calendar();
crowd().catch(() => { });
http.get('/api/events/weather-hint').catch(error => console.warn('[events] no weather hint', error.status));
