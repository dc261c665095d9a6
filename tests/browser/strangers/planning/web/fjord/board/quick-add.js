import { api } from "../core/api.js";
import { toast } from "../core/toast.js";

export function bindQuickAdd(form, store) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const title = form.elements.title.value.trim();
    if (!title) return;
    try {
      const task = await api.post("/tasks", { title, column: "todo" });
      store.set({ tasks: [...store.get().tasks, task] });
    } catch (error) {
      toast(error.message, "error");
    }
  });
}
