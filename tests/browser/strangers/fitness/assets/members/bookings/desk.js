import { escape, html } from "/assets/lib/dom.js";
import { getJson, sendJson } from "/assets/lib/http.js";

export class BookingDesk {
  bookings = [];
  bookable = [];
  credits = null;

  constructor(root) {
    this.root = root;
    this.form = root.querySelector("form");
    this.list = root.querySelector(".bookings");
    this.note = root.querySelector(".note");
  }

  async start() {
    [this.bookings, this.bookable] = await Promise.all([getJson("/api/bookings"), getJson("/api/bookable")]);
    this.render();
    this.credits = (await getJson("/api/credits")).left;
    this.render();
  }

  async reload() {
    const [bookings, credits] = await Promise.all([getJson("/api/bookings"), getJson("/api/credits")]);
    Object.assign(this, { bookings, credits: credits.left });
    this.render();
  }

  render() {
    this.list.innerHTML = html`${this.bookings.map((b) => html`<li>${escape(b.class)}, ${escape(b.at)}</li>`)}`;
    this.root.querySelector(".credits").textContent = this.credits === null ? "…" : `Credits: ${this.credits}`;
    const choice = this.form.elements.lesson;
    if (!choice.options.length) {
      choice.innerHTML = html`${this.bookable.map((c) => html`<option value="${c.id}">${escape(c.name)}, ${escape(c.at)}</option>`)}`;
    }
    this.form.addEventListener("submit", (event) => this.submit(event));
  }

  async submit(event) {
    event.preventDefault();
    this.note.textContent = "One moment…";
    try {
      await sendJson("POST", "/api/bookings", { class_id: this.form.elements.lesson.value });
      this.note.textContent = "Your place is booked.";
      await this.reload();
    } catch (error) {
      this.note.textContent = "Sorry, this class could not be booked.";
    }
  }
}
