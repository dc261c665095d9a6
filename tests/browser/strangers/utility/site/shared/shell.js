import { api } from "./api.js";
import { h } from "./dom.js";

const LINKS = { portal: [["bills", "Bills"], ["readings", "Readings"], ["outages", "Outages"], ["documents", "Documents"], ["profile", "Profile"]],
  field: [["planner", "Planner"], ["grid", "Grid"], ["analytics", "Analytics"]] };

/** The head of every page. `hero` is a picture of the season, `measure` tells the collector of the visit. */
export async function mountShell({ hero = "", measure = false } = {}) {
  const header = document.querySelector("header[data-shell]");
  const [, area, section] = location.pathname.split("/");
  const nav = h("nav", {}, ...LINKS[area].map(([path, label]) =>
    h("a", { href: `/${area}/${path}/`, "aria-current": path === section ? "page" : null }, label)));
  const who = h("span", { class: "muted" }, "…");
  header.replaceChildren(h("strong", {}, "Nordwerk"), nav, who);
  if (hero) {
    const picture = h("img", { src: `/img/season/${hero}.webp`, alt: "", width: 40, height: 24 });
    picture.addEventListener("error", () => picture.remove(), { once: true });
    header.append(picture);
  }
  if (measure) import("./telemetry.js").then(({ track }) => track("view", { section }));
  try {
    who.textContent = (await api.get("/api/me")).name;
  } catch {
    who.textContent = "Guest";
  }
}
