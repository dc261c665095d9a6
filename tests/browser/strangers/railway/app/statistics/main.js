import { $, h } from '/lib/dom.js';
import { getJson } from '/lib/net.js';
import { figuresOf, mean } from './figures.js';

const { stations } = await getJson('/api/statistics/stations');
const figures = [];
for await (const figure of figuresOf(stations)) figures.push(figure);

figures.sort((a, b) => b.percent - a.percent);
$('#figures').append(...figures.map(f => h('tr', {}, h('td', {}, f.station), h('td', {}, `${f.percent} %`))));
$('#figures').hidden = false;
$('#sum').textContent = `Mean of the network: ${mean(figures).toFixed(1)} %`;
