import { $ } from '/js/core/dom.js';
import { Fleet } from './model.js';
import { ListView, CardView } from './views.js';

const fleet = new Fleet();
new ListView(fleet, $('#rows'));
new CardView(fleet, $('#card'));

let pause = 0;
$('#find').addEventListener('input', (event) => {
  clearTimeout(pause);
  pause = setTimeout(() => fleet.find(event.target.value), 150);
});

fleet.load();
