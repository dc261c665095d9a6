import { $, h } from '/lib/dom.js';
import { fromMirrors } from './mirrors.js';

const station = await fromMirrors('/station/hedstad');
$('#facts').textContent = `${station.tracks} tracks, open ${station.opening}`;
$('#services').append(...station.services.map(name => h('li', {}, name)));

// only stations with more than two lifts have a list of them
const lifts = await fetch('/api/station/hedstad/lifts');
$('#lifts').textContent = lifts.status === 404 ? 'One lift, at track 1.' : `${(await lifts.json()).length} lifts`;
