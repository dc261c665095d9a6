import { escape, html } from "/assets/lib/dom.js";
import { getJson, sendJson } from "/assets/lib/http.js";

class CheckinPanel extends HTMLElement {
  connectedCallback() {
    this.innerHTML = `<p class="state">Connecting to the desk…</p>
      <label>Card number <input name="card" disabled></label><button disabled>Check in</button><h2>Arrivals</h2><ul></ul>`;
    window.deskBus.on("session", (session) => this.open(session));
    this.querySelector("button").addEventListener("click", () => this.checkIn());
    this.list();
  }

  open(session) {
    this.session = session;
    this.querySelector(".state").textContent = `Desk ${session.desk}, ${session.studio}`;
    for (const field of this.querySelectorAll("input, button")) field.disabled = false;
  }

  async list() {
    const people = await getJson("/api/desk/arrivals");
    this.querySelector("ul").innerHTML = html`${people.map((p) => html`<li>${p.at} ${escape(p.name)}</li>`)}`;
  }

  async checkIn() {
    await sendJson("POST", "/api/desk/arrivals", { desk: this.session.desk, card: this.querySelector("input").value });
    await this.list();
  }
}

customElements.define("checkin-panel", CheckinPanel);
