import { getJson } from '/lib/http.js';
import { $, el, list } from '/lib/ui.js';
import { count } from '/lib/metrics.js';
import { Uploader } from './uploader.js';

const uploader = new Uploader();
const { photos } = await getJson('/api/listings/812/photos');
const show = () => list($('#photos'), photos, (photo) => `Photo: ${photo.alt}`, 'No photos');
show();

uploader.addEventListener('state', ({ detail }) => {
  $('#note').textContent = detail.state;
  if (detail.photo) { photos.push(detail.photo); show(); }
});

$('#sample').addEventListener('click', () => {
  const canvas = el('canvas', { width: 64, height: 48 });
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#b98b50';
  pen.fillRect(8, 8, 48, 32);
  canvas.toBlob((blob) => { count('photo', blob.size); uploader.send(blob); }, 'image/png');
});
