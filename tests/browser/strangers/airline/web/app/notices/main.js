import { $, h, fill } from '/lib/dom.js';
import { follow } from './feed.js';

follow((notices) => {
  fill($('#notices'), notices.map((notice) => h('li', {}, `${notice.no}: ${notice.text}`)));
  $('#state').textContent = `${notices.length} notices in force`;
});
