import { api } from "../core/api.js";
import { toast } from "../core/toast.js";

const { h, mount } = window.View;
const form = document.querySelector("#new-task");

async function refresh() {
  const { items, total } = await api.get("/tasks?sort=created");
  mount("#count", `${total} tasks`);
  mount("#tasks", h("ul", {}, items.map((task) => h("li", { class: "card" }, task.title))));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const title = form.elements.title.value.trim();
  await api.post("/tasks", { title });
  form.reset();
  toast("Task added");
  await refresh();
});

refresh();
