import { $, h, fill, row } from './lib/dom.js';
import { createStore } from './lib/store.js';
import { settings } from './settings.js';
import { toursOf, languages } from './tours-service.js';

const store = createStore({ week: settings.firstWeek, tours: null });

async function show(week) {
  store.set({ week, tours: null });
  const tours = await toursOf(week);
  if (store.get().week === week) store.set({ tours });
}

store.subscribe(({ week, tours }) => {
  $('#week').textContent = `Week ${week}`;
  if (!tours) return fill('#tours', h('p', { class: 'quiet' }, 'Looking at the calendar …'));
  if (!tours.length) return fill('#tours', h('p', { class: 'notice' }, `There are no guided tours in week ${week}.`));
  return fill('#tours', tours.map((tour) => row(tour.day, tour.at, h('strong', {}, tour.title), `${tour.free} places`)));
});

$('#previous').addEventListener('click', () => show(store.get().week - 1));
$('#next').addEventListener('click', () => show(store.get().week + 1));

languages().then((list) => { $('#languages').textContent = list.join(', '); });
show(settings.firstWeek);
