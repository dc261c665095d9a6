import { $ } from '../lib/dom.js';
import { createStore } from '../lib/store.js';
import { open } from './session.js';

const store = createStore({ hall: null, east: null });

store.subscribe(({ hall, east }) => {
  $('#hall').textContent = hall ?? '–';
  $('#east').textContent = east ?? '–';
  $('#mood').textContent = hall || east ? '' : 'A quiet day: nobody is in the house.';
});

function follow(wait = 1000) {
  open('counters', (counts) => store.set(counts), () => setTimeout(follow, wait, Math.min(wait * 2, 15000)));
}

follow();
