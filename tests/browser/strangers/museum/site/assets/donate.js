import { $, h, fill } from './lib/dom.js';
import { get } from './lib/http.js';

const money = (amount) => new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }).format(amount);

function thermometer({ raised = 0, goal = 0, givers = 0 } = {}) {
  const meter = $('#meter');
  meter.max = goal || 1;
  meter.value = raised;
  $('#raised').textContent = `${money(raised)} of ${money(goal)}, from ${givers} givers`;
}

function choice({ amounts = [] } = {}) {
  fill('#amounts', amounts.map((amount) => h('button', { onclick: () => choose(amount) }, money(amount))), ' ');
}

function choose(amount) {
  $('#chosen').hidden = false;
  $('#chosen').textContent = `Thank you: ${money(amount)}. We take you to your bank.`;
  window.quaystat?.push(['choose', amount]);
}

async function begin() {
  const [campaign, amounts] = await Promise.allSettled([
    get('/museum/api/campaign'),
    get('/museum/api/donation-amounts'),
  ]);
  thermometer(campaign.value);
  choice(amounts.value);
}

begin();
