import { queue } from "./queue-store.js";

document.querySelector("#shuffle").addEventListener("click", () => {
  queue.set([...queue.tracks].sort(() => Math.random() - 0.5));
});
document.querySelector("#clear").addEventListener("click", () => queue.set([]));

queue.fetch();
