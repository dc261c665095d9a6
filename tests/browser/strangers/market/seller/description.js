import { getJson } from '/lib/http.js';
import { $ } from '/lib/ui.js';
import '/lib/metrics.js';

const area = $('#text');
const { markup } = await getJson('/api/listings/812/description');
area.value = markup;
window.RichText?.mount(area, $('#toolbar'));
$('#length').textContent = `${markup.length} of 2000 characters`;
