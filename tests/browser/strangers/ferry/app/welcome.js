const who = document.querySelector("#who");
const answer = await fetch("/api/me");
if (answer.status === 401) who.innerHTML = 'You are a guest. <a href="/signin">Sign in</a> for your bookings.';
else who.textContent = `Hello ${(await answer.json()).name}`;
