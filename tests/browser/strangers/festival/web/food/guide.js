import { read } from '/assets/lib/http.js';
import { $, safe } from '/assets/lib/dom.js';
import { on, emit } from '/assets/lib/bus.js';

const state = { stalls: [], diet: '' };

on('stalls', stalls => { state.stalls = stalls; emit('draw'); });
on('diet', diet => { state.diet = diet; emit('draw'); });
on('draw', () => {
  const fitting = state.stalls.filter(stall => stall.open && (!state.diet || stall.diet.includes(state.diet)));
  $('#stalls').innerHTML = fitting.map(stall => `<li>${safe(stall.name)} <span class="muted">${safe(stall.area)}</span></li>`).join('')
    || '<li class="muted">All stalls are closed at the moment.</li>';
});

$('#diet').addEventListener('change', event => emit('diet', event.target.value));

read('/api/food/areas').then(({ areas }) => { $('#areas').textContent = areas.join(' · '); });
read('/api/food/stalls').then(({ stalls }) => emit('stalls', stalls ?? []));
