import { api } from "../core/api.js";

const { h, mount } = window.View;
const form = document.querySelector("#sign-in");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(form));
  try {
    const { user } = await api.post("/session", { email, password });
    const { projects } = await api.get("/projects");
    form.hidden = true;
    mount("#message", h("p", {}, `Welcome back, ${user.name}`));
    mount("#projects", h("ul", {}, projects.map((p) => h("li", {}, p.name))));
  } catch (error) {
    if (error.status !== 401) throw error;
    mount("#message", h("p", { class: "notice", role: "alert" }, "That email and password do not match."));
  }
});
