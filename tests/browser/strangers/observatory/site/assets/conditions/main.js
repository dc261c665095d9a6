import { Poller } from './poller.js';
import { ClockPanel, SeeingPanel, WeatherPanel } from './panels.js';

const host = document.querySelector('#panels');
const poller = new Poller('/api/conditions/latest', { every: 900 });
const panels = [new ClockPanel(host), new WeatherPanel(host, 'Weather'), new SeeingPanel(host, 'Seeing')];

for (const panel of panels) poller.on('reading', reading => panel.update(reading));
poller.on('reading', reading => {
  document.title = `${reading.temperature} °C - Sky conditions`;
});

async function forecast() {
  const response = await fetch('/api/conditions/forecast');
  if (!response.ok) {
    console.warn('[conditions] no forecast from the provider today');
    return;
  }
  document.querySelector('#forecast').textContent = (await response.json()).text;
}

document.addEventListener('visibilitychange', () => document.hidden ? poller.stop() : poller.start());
forecast().catch(() => { });
poller.start();
