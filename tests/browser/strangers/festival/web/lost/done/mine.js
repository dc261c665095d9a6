import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';
import { visitor } from '../visitor.js';

const { reports } = await getJson(`/api/lost/mine?visitor=${visitor()}`);
$('#mine').replaceChildren(...(reports.length
  ? reports.map(report => h('li', {}, `${report.ref}: ${report.what}`))
  : [h('li', { className: 'muted' }, 'You have not reported anything yet.')]));
