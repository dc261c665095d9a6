import { $, escape, html } from "/assets/lib/dom.js";
import { getJson, sendJson } from "/assets/lib/http.js";
import { Access } from "./access.js";

const [me, roster] = await Promise.all([getJson("/api/staff/me"), getJson("/api/roster")]);
const access = new Access(me);

$("#who").textContent = `${me.name}, week of ${roster.week}`;
$("#shifts").innerHTML = html`${roster.shifts.map((s) => html`<li>${s.day} ${s.from} ${escape(s.who)}</li>`)}`;

if (access.may("roster.publish")) {
  const button = document.createElement("button");
  button.id = "publish";
  button.textContent = "Publish the roster";
  button.onclick = async () => {
    await sendJson("POST", "/api/roster/publish", {});
    button.replaceWith("Published");
  };
  $("#tools").append(button);
} else {
  $("#tools").textContent = "You may look at this roster only. Ask a manager to publish it.";
}
