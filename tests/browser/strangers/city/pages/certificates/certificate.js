import { api } from '/lib/api.js';
import { drawCertificate } from './draw.js';

const $ = (s) => document.querySelector(s);
let current = null;

function say(text, kind = 'alert') {
  $('#state').className = text ? kind : '';
  $('#state').textContent = text;
}

async function showPreview(blob) {
  const img = $('#page-image');
  img.onload = () => {
    $('#caption').textContent = `Certificate, ${Math.round(blob.size / 1024)} kB`;
    $('#attach').disabled = false;
  };
  img.onerror = () => {
    say('The document is damaged and cannot be attached. Please create it again.');
  };
  img.src = URL.createObjectURL(blob);
  $('#preview').hidden = false;
}

$('#make').addEventListener('click', async () => {
  say('');
  const data = await api('/api/certificates/data');
  current = await drawCertificate(data);
  await showPreview(current);
});

$('#attach').addEventListener('click', async () => {
  await fetch('/api/certificates/files', { method: 'PUT', body: current });
  say('Attached.', 'ok');
});
