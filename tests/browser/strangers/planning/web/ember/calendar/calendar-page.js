import { listEvents, createEvent } from "./events-api.js";
import { formatDate } from "../core/dates.js";

const { h, mount } = window.View;
const form = document.querySelector("#new-event");

function showErrors(errors) {
  for (const hint of form.querySelectorAll(".hint")) hint.textContent = "";
  for (const [field, message] of Object.entries(errors)) {
    const hint = form.querySelector(`[data-for=${field}]`);
    if (hint) hint.textContent = message;
  }
}

async function refresh() {
  const { data } = await listEvents("2026-12");
  mount("#events", h("ul", {}, data.events.map((e) => h("li", {}, `${formatDate(e.start)} ${e.title}`))));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const values = Object.fromEntries(new FormData(form));
  const result = await createEvent({ title: values.title, start: values.start, allDay: true });
  if (!result.ok) return showErrors(result.errors);
  form.reset();
  showErrors({});
  await refresh();
});

refresh();
