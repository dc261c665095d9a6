import { $, escape, html } from "/assets/lib/dom.js";
import { getJson, sendJson } from "/assets/lib/http.js";

const form = document.forms.signin;

async function today() {
  try {
    const lessons = await getJson("/api/trainer/today");
    form.hidden = true;
    $("#today").innerHTML = html`${lessons.map((l) => html`<li>${l.at} ${escape(l.what)}</li>`)}`;
    $("#hint").textContent = "Your classes today";
  } catch (error) {
    if (error.status !== 401) throw error;
    form.hidden = false;
    $("#hint").textContent = "Please sign in to see your classes.";
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  $("#hint").textContent = "Signing in…";
  await sendJson("POST", "/api/auth/login", { trainer: form.trainer.value, pin: form.pin.value });
  await today();
});
