(function () {
  var note = document.getElementById('note');
  var tell = function (t) { note.className = 'note'; note.textContent = t; };
  var money = function (cents) { return (cents / 100).toFixed(2) + ' €'; };
  var box = new Outbox('print.outbox', function (job) {
    return fetch('/api/printing/jobs', { method: 'POST', headers: { 'Content-Type': 'application/json', 'Idempotency-Key': job.key }, body: JSON.stringify(job) })
      .then(function (r) {
        if (r.status === 402) return r.json().then(function (j) { tell('That costs ' + money(j.need) + ', your credit is ' + money(j.have) + '. Nothing was printed.'); return 'no'; });
        if (r.status >= 500) { console.error('print hub asleep (' + r.status + '), job stays in the outbox'); tell('The printer wakes up. Your job is kept and goes out by itself.'); return 'later'; }
        tell('Sent to the printer. Fetch it with your card at any device.');
        return 'yes';
      }, function () { return 'later'; });
  }, function (n) { document.getElementById('box').textContent = n ? n + ' job waits in the outbox.' : 'The outbox is empty.'; });

  var kept = localStorage.getItem('print.credit');
  if (kept) document.getElementById('credit').textContent = money(kept);
  fetch('/api/printing/account').then(function (r) { return r.json(); }).then(function (j) {
    var sums = Object.fromEntries(atob(j.doc).trim().split('\n').map(function (l) { return l.split(','); }));
    // a negative account is made good by the bonus first
    var cents = Number(sums.cents) + Number(sums.bonus);
    localStorage.setItem('print.credit', cents);
    document.getElementById('credit').textContent = money(cents);
  });
  document.getElementById('print').addEventListener('click', function () {
    box.add({ key: crypto.randomUUID(), pages: Number(document.getElementById('pages').value) });
  });
  box.flush();
})();
