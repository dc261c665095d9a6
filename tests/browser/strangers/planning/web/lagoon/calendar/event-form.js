import { api } from "../core/api.js";
import { toast } from "../core/toast.js";

export function connect(form, onSaved) {
  form.addEventListener("submit", async (event) => {
    const values = Object.fromEntries(new FormData(form));
    const clashes = await api.get(`/events/clashes?start=${values.start}`);
    if (clashes.events.length > 0) toast("There is another event on that day.");
    event.preventDefault();
    const saved = await api.post("/events", values);
    toast("Event saved");
    onSaved(saved);
  });
}
