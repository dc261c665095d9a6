import { getJson, sendJson } from "/assets/lib/http.js";

const form = document.forms.settings;
const status = document.querySelector("#status");

function fill(values) {
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements[name];
    if (field.type === "checkbox") field.checked = value;
    else field.value = value;
  }
}

const load = async () => fill(await getJson("/api/settings"));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const values = Object.fromEntries(new FormData(form));
  await sendJson("PATCH", "/api/settings", values);
  await load();
  status.textContent = "Your settings are saved.";
});

load().then(() => { status.textContent = "Ready."; });
