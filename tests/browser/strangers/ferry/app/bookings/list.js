import { getJSON } from "/lib/http.js";
import { h, put } from "/lib/dom.js";

async function show(id) {
  const booking = await getJSON(`/api/bookings/${id}`);
  put("#detail", h("h2", {}, `Booking of ${booking.lead}`), h("p", {}, `${booking.route}, ${booking.date}`), h("p", {}, `Car: ${booking.car}`));
}

const rows = await getJSON("/api/bookings");
put("#mine", rows.map((row) => h("li", {}, h("button", { id: `b${row.id}`, onclick: () => show(row.id) }, `${row.id}: ${row.route}, ${row.date}`))));
