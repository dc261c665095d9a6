import { api } from "/shared/api.js";
import { $ } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { Drafts } from "./drafts.js";

mountShell({ hero: "winter" });

const drafts = new Drafts("K-5530");
const contract = await api.get("/api/contracts/K-5530");
$("#customer").textContent = contract.customer;
$("#text").value = contract.text;

let scans = [];
api.get("/api/contracts/K-5530/scans").then((answer) => {
  scans = answer.scans;
  $("#scans").textContent = `${scans.length} scanned pages`;
});

$("#keep").addEventListener("click", () => {
  $("#state").textContent = `Draft kept at ${drafts.keep($("#text").value, scans)}.`;
});
$("#close").addEventListener("click", () => {
  $("#text").value = "";
  $("#state").textContent = "Closed.";
});
$("#again").addEventListener("click", () => {
  const draft = drafts.open();
  $("#text").value = draft ? draft.text : contract.text;
  $("#state").textContent = draft ? `Draft of ${draft.at}.` : "There is no draft on this device.";
});
