import { getJson } from '/lib/http.js';
import { $, list } from '/lib/ui.js';
import '/lib/metrics.js';
import { media } from './media.js';

const conversation = await getJson('/api/conversations/77');
$('#with').textContent = conversation.with;
$('#last').textContent = conversation.last;
media.quota().then(({ used, of }) => { $('#quota').textContent = `${used} of ${of} MB used`; });

let files = [];
try {
  ({ files } = await media.files(conversation.id));
} catch {
  files = [];
}
list($('#files'), files, (file) => file.name, 'No files have been shared yet.');
