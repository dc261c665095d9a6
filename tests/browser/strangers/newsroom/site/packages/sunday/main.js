import { h, $, fill } from '/lib/dom.js';
import { assemble } from './package.js';

const { title, parts } = await assemble('sunday');
fill('#parts', parts.map((part) => h('li', {}, `${part.title}, ${part.words} words`)));
$('#state').textContent = `${title}: ${parts.length} parts`;
