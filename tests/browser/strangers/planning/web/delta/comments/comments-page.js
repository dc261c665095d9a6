import { api } from "../core/api.js";
import { openSession, csrfHeader } from "../core/session.js";
import { toast } from "../core/toast.js";

const { h, mount } = window.View;
const form = document.querySelector("#new-comment");
const comments = [];

function render() {
  mount("#comments", comments.map((c) => h("article", { class: "card" }, h("b", {}, c.author), " ", c.text)));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = form.elements.text.value.trim();
  if (!text) return;
  try {
    const comment = await api.post("/tasks/41/comments", { text }, { headers: csrfHeader() });
    comments.push(comment);
    form.reset();
    render();
  } catch {
    toast("Your comment could not be posted. Try again later.", "error");
  }
});

await openSession();
const { items } = await api.get("/tasks/41/comments");
comments.push(...items);
render();
