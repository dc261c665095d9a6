import './sections.js';
import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';

const [layout, { locks }] = await Promise.all([http.get('/api/front/layout'), http.get('/api/front/locks')]);
$('#revision').textContent = `Revision ${layout.revision}${locks.length ? ', locked' : ''}`;
fill('#sections', layout.sections.map((section) => h('front-section', { section })));
