import { getJSON } from '/lib/http.js';
import { h, mount, table } from '/lib/ui.js';
import { flags, remembered } from './flags.js';

localStorage.setItem('training.sort', '{title'); // as the version of last year wrote it
const on = await flags();
const sort = remembered('training.sort', 'title');
const courses = (await getJSON('/api/courses')).sort((a, b) => a[sort].localeCompare(b[sort]));
mount(document.getElementById('courses'),
  table(['Course', 'Due'], courses.map((one) => [one.title, one.due])),
  on.certificates && h('p', null, 'Certificates are printed at the desk.'));
