import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { authorised } from "./session.js";

mountShell({ hero: "winter", measure: true });

const me = await authorised((headers) => api.get("/api/profile", { headers }));
const initials = me.name.split(" ").map((part) => part[0]).join("");
const picture = h("img", { src: "/avatars/C-4471.jpg", alt: "", width: 32, height: 32 });
picture.addEventListener("error", () => picture.replaceWith(h("b", {}, initials)), { once: true });
fill("#who", picture, ` ${me.name}, ${me.email}`);

$("#profile").addEventListener("submit", async (event) => {
  event.preventDefault();
  const phone = $("#phone").value.trim();
  const sound = /^[+\d][\d ]{5,}$/.test(phone);
  $("#problem").textContent = sound ? "" : "Please give a telephone number, such as 0431 123456.";
  if (!sound) return;
  const kept = await authorised((headers) => api.put("/api/profile", { ...me, phone }, { headers }));
  $("#done").textContent = `Your number is now ${kept.phone}.`;
});
