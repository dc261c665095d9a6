import { $, escape, html } from "/assets/lib/dom.js";
import { getJson } from "/assets/lib/http.js";

console.warn("[home] prop 'compact' is deprecated and will go in release 28");

const [session, notices, bookings] = await Promise.all([getJson("/api/session"), getJson("/api/notices"), getJson("/api/bookings")]);
$("#hello").textContent = `Good to see you, ${session.member}`;
$("#notices").innerHTML = html`${notices.map((n) => html`<p>${escape(n.text)}</p>`)}`;
$("#next").innerHTML = html`${bookings.map((b) => html`<li>${escape(b.class)}, ${escape(b.at)}</li>`)}`;
$("#face").addEventListener("error", ({ target }) => target.replaceWith("ML"));
$("#face").src = "/media/faces/mara-lind.jpg";
