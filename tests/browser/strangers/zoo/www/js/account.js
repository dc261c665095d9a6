import { getJSON, postJSON } from '/lib/http.js';
import { $, fill } from '/lib/dom.js';
async function bookings() {
  try { fill($('#bookings'), await getJSON('/api/account/bookings')); $('#state').textContent = 'Your bookings'; }
  catch { $('#state').textContent = 'Please sign in to see your bookings.'; }
}
$('#form').addEventListener('submit', async (e) => {
  e.preventDefault();
  const answer = await postJSON('/api/account/sign-in', { email: $('#email').value });
  if (answer.ok) await bookings();
});
