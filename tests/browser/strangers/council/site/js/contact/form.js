const form = document.forms.contact;
let last = -Infinity;
Challenge.load(document.getElementById('challenge'));

const say = (name, text) => { const at = form.querySelector(`[data-for=${name}]`); if (at) at.textContent = text; };

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (event.timeStamp - last < 800) { console.debug('send: second press left out'); return; }
  last = event.timeStamp;
  for (const field of form.querySelectorAll('input')) say(field.name, field.validationMessage);
  if (!form.checkValidity()) return;

  const answer = await fetch('/api/contact', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(Object.fromEntries(new FormData(form))) });
  const body = await answer.json().catch(() => ({}));
  if (answer.status === 400) {
    for (const [name, text] of Object.entries(body.fields)) say(name, text);
  } else if (answer.status === 202) {
    form.hidden = true;
    document.getElementById('after').innerHTML = `<p class="card ok">Thank you. Your message has the number ${body.ticket}. We answer within two working days.</p>`;
    navigator.sendBeacon('/api/rum', JSON.stringify({ form: 'contact', ms: Math.round(performance.now()) }));
  } else {
    document.getElementById('after').innerHTML = '<p class="alert">Your message could not be sent. Please call 55 21 00.</p>';
  }
});
