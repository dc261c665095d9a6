import { $, h, fill } from '/lib/dom.js';
import { withToken } from './session.js';

const { manuals } = await withToken('/api/manuals');
fill($('#manuals'), manuals.map((manual) => h('li', {}, `${manual.title}, revision ${manual.rev}`)));
