import { api } from "../lib/api.js";
import { drawQueue } from "./queue-view.js";

export const queue = {
  tracks: [],
  playing: 0,
  observers: [drawQueue],

  set(tracks) {
    this.tracks = tracks;
    this.observers.forEach((fn) => fn(this));
  },

  async fetch() {
    const { tracks } = await api("/player/queue");
    this.set(tracks);
  },
};
