;(() => {
  const GUARD = ")]}',\n";
  const vault = { get: () => sessionStorage.getItem('access') || 'k1', put: (t) => sessionStorage.setItem('access', t) };

  const authorised = async (url, again = true) => {
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${vault.get()}` } });
    if (answer.status === 401 && again) {
      console.error('grades: token refused, asking for another one');
      const fresh = await fetch('/api/grades/token', { method: 'POST' });
      vault.put((await fresh.json()).access);
      return authorised(url, false);
    }
    if (!answer.ok) throw new Error(`grades ${answer.status}`);
    return answer;
  };

  // The registry sends text/plain with a guard, and the sheet as a string within a string.
  const unwrap = (text) => JSON.parse(JSON.parse(JSON.parse(text.slice(GUARD.length)).payload));
  const word = (hundredths) => hundredths === null ? 'not marked yet' : hundredths === 0 ? 'passed' : (Math.floor(hundredths / 10) / 10).toFixed(1);

  authorised('/api/grades/sheet').then((a) => a.text()).then((text) => {
    const rows = unwrap(text);
    for (const [, title, mark, tenths] of rows) {
      const tr = document.querySelector('#sheet').insertRow();
      for (const cell of [title, word(mark), tenths / 10]) tr.insertCell().textContent = cell;
    }
    const counted = rows.filter((r) => r[2]);
    const credits = counted.reduce((sum, r) => sum + r[3], 0);
    const mean = counted.reduce((sum, r) => sum + Math.floor(r[2] / 10) * r[3], 0) / credits / 10;
    document.querySelector('#mean').textContent = `Mean of ${counted.length} marked courses: ${mean.toFixed(2)} (cut after the first decimal, weighted by credits)`;
  }).catch((e) => { console.error(e); document.querySelector('#mean').textContent = 'Your grades cannot be shown at the moment.'; });
})();
