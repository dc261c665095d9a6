import { api } from "/shared/api.js";
import { $ } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { Form } from "./form.js";

mountShell({ measure: true, hero: "winter" });

new Form($("#reading"), async (values) => {
  await api.post("/api/readings", values);
  $("#done").textContent = "Thank you, your reading has arrived.";
});

const last = await api.get("/api/readings/last");
$("#last").textContent = `Last reading: ${last.value} on ${last.on}`;
