const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function patient(path, tries = 5) {
  for (let turn = 1; ; turn += 1) {
    const answer = await fetch(path);
    if (answer.ok) return answer.json();
    if (answer.status !== 503 || turn === tries) throw new Error(`${path}: ${answer.status}`);
    console.warn(`${path} is not ready (${answer.status}), turn ${turn}`);
    await pause(400 * turn);
  }
}

const list = document.getElementById('duty');
try {
  const desks = await patient('/api/duty');
  list.replaceChildren(...desks.map(({ desk, who }) => Object.assign(document.createElement('li'), { textContent: `${desk}: ${who}` })));
} catch (error) {
  list.textContent = 'The duty list is not available.';
  console.error(error);
}
