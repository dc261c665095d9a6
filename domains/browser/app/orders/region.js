import { ask } from "./api.js";
import { renewSession } from "./session.js";
import { loadOrders } from "./store.js";

/** The locale of a language, as the server knows it. */
function localeOf(language) {
  return language.replace("-", "_");
}

export async function chooseLanguage(language) {
  const locale = localeOf(language);
  await ask("/api/settings", { method: "PUT", body: JSON.stringify({ locale }) });
  await renewSession(locale);
  await loadOrders();
}

export function watchRegion(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    chooseLanguage(form.elements.language.value);
  });
}
