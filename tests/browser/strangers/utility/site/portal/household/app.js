import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { loadMembers } from "./members.js";

mountShell({ hero: "winter" });

const [home, members] = await Promise.all([api.get("/api/household"), loadMembers()]);
$("#name").textContent = `${home.name}, ${home.size} persons, since ${home.since}`;
fill("#members", ...(members.length
  ? members.map((one) => h("li", {}, `${one.name} (${one.role})`))
  : [h("li", { class: "muted" }, "Nobody has been added yet.")]));
