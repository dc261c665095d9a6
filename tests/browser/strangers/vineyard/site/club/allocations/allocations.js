import { getJson, h, pick, table } from "/lib/kit.js";
import { Session } from "/club/allocations/session.js";

const me = await getJson("/api/club/me");
pick("#who").textContent = `${me.name}, member ${me.number}`;

const session = await new Session().renew();
const { allocations } = await session.get(`/api/club/allocations?member=${me.number}`);
const list = pick("#list");
list.className = "";
list.replaceChildren(allocations.length
  ? table(["Wine", "Bottles"], allocations.map((a) => [a.wine, a.bottles]))
  : h("p", { className: "empty" }, "Your membership includes no allocation this year."));
