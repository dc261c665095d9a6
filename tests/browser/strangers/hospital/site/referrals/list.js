import { h, mount, table } from '/lib/ui.js';
import { session } from './session.js';

const root = document.getElementById('referrals');
const open = () => fetch('/api/referrals').then((answer) => answer.json()).catch(() => []);

const me = await session('B-2207');
document.getElementById('me').textContent = me.name;
const referrals = await open();
mount(root, referrals.length
  ? table(['Patient', 'To', 'Waiting'], referrals.map((one) => [one.patient, one.to, one.since]))
  : h('p', null, 'There are no open referrals.'));
