import { http } from '/lib/http.js';
import { $, fill, h } from '/lib/dom.js';
import { barcodeOf } from './barcode.js';

const [me, trip] = await Promise.all([http.get('/api/me'), http.get('/api/trips/current')]);
fill($('#details'), h('p', {}, `${me.name}, ${trip.flight}, seat 7C, gate A3`));

const image = $('#barcode');
image.addEventListener('error', () => {
  image.hidden = true;
  $('#later').hidden = false;
});
image.src = barcodeOf(`M1${me.name}${trip.booking.code}${trip.flight}`);
