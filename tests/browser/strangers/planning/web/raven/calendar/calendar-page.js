import { api } from "../core/api.js";
import { retrying } from "../core/retry.js";

const { h, mount } = window.View;

const [calendar, holidays] = await Promise.all([
  retrying(() => api.get("/events?month=2027-02")),
  api.find("/holidays?country=xx"),
]);
mount("#events", calendar.events.length === 0
  ? h("p", {}, "No events this month.")
  : h("ul", {}, calendar.events.map((e) => h("li", {}, e.title))));
if (holidays === null) console.info("[calendar] no holiday calendar for this country");

const stream = new EventSource(`${document.documentElement.dataset.api}/events/stream`);
stream.addEventListener("event-created", () => location.reload());
