import { store, openWorkspace, openBoard } from "./board-store.js";
import { renderBoard } from "./board-view.js";

store.subscribe(renderBoard);

const boardId = await openWorkspace();
await openBoard(boardId);
