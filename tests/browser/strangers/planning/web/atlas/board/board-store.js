import { api } from "../core/api.js";
import { createStore } from "../core/store.js";

export const store = createStore({ workspace: null, board: null, tasks: [], ready: false });

export async function openWorkspace() {
  const workspace = await api.get("/workspace");
  store.set({ workspace });
  return workspace.defaultBoardId;
}

export async function openBoard(id) {
  const [board, tasks] = await Promise.all([
    api.find(`/boards/${id}`),
    api.get(`/tasks?board=${id}`),
  ]);
  if (tasks.items.length === 0) console.warn("[board] no tasks on this board");
  store.set({ board, tasks: tasks.items, ready: true });
}
