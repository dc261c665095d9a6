import { $ } from "/assets/lib/dom.js";
import { getJson, sendJson } from "/assets/lib/http.js";

async function withSession(task) {
  try {
    return await task();
  } catch (error) {
    if (error.status !== 401) throw error;
    console.info("[account] the access is renewed");
    await sendJson("POST", "/api/account/refresh", {});
    return task();
  }
}

const account = await withSession(() => getJson("/api/account"));
$("#name").textContent = account.name;
$("#contract").textContent = `${account.contract}, until ${account.until}`;
