import { ask } from "./api.js";
import { renewSession } from "./session.js";
import { loadOrders } from "./store.js";

/** A language as the server writes it. */
function codeOf(language) {
  return language.replace("-", "_");
}

export async function chooseLanguage(language) {
  const { locale } = await ask(`/api/locales?language=${codeOf(language)}`);
  await renewSession(locale);
  await loadOrders();
}

export function watchRegion(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    chooseLanguage(form.elements.language.value);
  });
}
