import { $, h, fill } from '/lib/dom.js';
import '/lib/pulse.js';
import { query } from './graph.js';

const { traveller } = await query('Traveller');
$('#name').textContent = `Bags of ${traveller.name}`;
const { bags } = await query('Bags', { tags: traveller.tags });
fill($('#bags'), (bags || []).map((bag) => h('li', {}, `${bag.tag}: ${bag.place}, ${bag.at}`)));
$('#none').hidden = Boolean(bags && bags.length);
