import { $, say } from '/shared/ui.js';
import { ask, pause } from '/shared/http.js';

const revoked = () => ask('/api/cards/0417-55/validity').then(() => false, (e) => {
  if (e.status === 410) return true;   // gone is what we hope for
  throw e;
});
const filed = async (report) => {
  for (let n = 0; n < 10; n++) {
    const answer = await ask(`/api/cards/reports/${report}`).catch((e) => { if (e.status === 404) return null; throw e; });
    if (answer?.filed) return answer;
    await pause(450);
  }
  throw new Error('not filed in time');
};
$('#lost').onclick = () => { $('#a').classList.add('away'); $('#b').classList.remove('away'); };
$('#sure').onchange = () => { $('#block').disabled = !$('#sure').checked; };
$('#block').onclick = async () => {
  $('#block').disabled = true;
  say('Blocking…');
  try {
    const { report } = await ask('/api/cards/reports', { method: 'POST', json: { card: '0417-55' } });
    const { desk } = await filed(report);
    if (!(await revoked())) throw new Error('still open');
    say(`The card is blocked. Fetch a new one at desk ${desk}.`);
  } catch (e) {
    console.error(e);
    say('The card could not be blocked. Please call 5555 at once.');
  }
};
