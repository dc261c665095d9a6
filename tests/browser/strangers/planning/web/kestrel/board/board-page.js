import { api } from "../core/api.js";
import { appStore, ready } from "../core/app-store.js";

const { h, mount } = window.View;

await ready();
const board = await api.get("/boards/3");
appStore.set({ board });
mount("#board", h("div", { class: "columns" }, board.columns.map((c) => h("section", { class: "column" }, h("h2", {}, c.name)))));
