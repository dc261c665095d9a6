import { render } from './tiny.js';
import { Plan } from './plan.js';

const host = document.querySelector('#plan');
render(Plan, host, { night: host.dataset.night, limit: Number(host.dataset.limit) });

fetch('/api/plan/hints').then(response => {
  if (!response.ok) console.warn('[planner] no hints for this night');
});
console.info('[planner] tiny 0.4');
