import { $, fill, h } from "/shared/dom.js";
import { createStore } from "/shared/store.js";
import { mountShell } from "/shared/shell.js";
import { loadInbox } from "./inbox.js";

mountShell({ measure: true });

const store = createStore({ unread: false, page: 1, items: [], at: null });

store.watch((state) => ({ unread: state.unread, page: state.page }), async (query) => {
  $("#state").textContent = "Loading …";
  const { items } = await loadInbox(query);
  $("#state").textContent = "";
  store.set({ items, at: Date.now() });
});

store.watch((state) => state.items, (items) => fill("#inbox", ...items.map((item) => h("div", { class: "card" }, item.text))));

$("#unread").addEventListener("change", (event) => store.set({ unread: event.target.checked, page: 1 }));
