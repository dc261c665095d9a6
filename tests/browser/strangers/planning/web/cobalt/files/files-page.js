import { request } from "../core/api.js";
import { call, onSignedOut } from "../core/client.js";

const { h, mount } = window.View;
const form = document.querySelector("#sign-in");

function row(file) {
  return h("tr", {}, h("td", {}, file.name), h("td", {}, file.size), h("td", {}, file.by));
}

async function openFiles() {
  form.hidden = true;
  mount("#files", h("p", {}, "Loading files…"));
  const { files } = await call("GET", "/projects/7/files");
  mount("#files", h("table", {}, files.map(row)));
}

onSignedOut(() => {
  form.hidden = false;
  mount("#files", h("p", { class: "notice" }, "Your session has expired. Please sign in again."));
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(form));
  try {
    const { user } = await request("POST", "/session", { body: { email, password } });
    mount("#who", h("span", {}, user.name));
    await openFiles();
  } catch (error) {
    console.error("[files]", error.message);
  }
});
