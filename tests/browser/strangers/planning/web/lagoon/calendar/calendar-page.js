import { api } from "../core/api.js";
import { formatDate } from "../core/dates.js";
import { connect } from "./event-form.js";

const { h, mount } = window.View;

async function refresh() {
  const { events } = await api.get("/events?month=2026-12");
  mount("#events", h("ul", {}, events.map((e) => h("li", {}, `${formatDate(e.start)} ${e.title}`))));
}

connect(document.querySelector("#new-event"), refresh);
refresh();
