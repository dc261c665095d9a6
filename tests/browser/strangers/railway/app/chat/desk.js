import { createStore } from '/lib/store.js';
import { getJson } from '/lib/net.js';

export const desk = createStore({ asked: false, open: false, advisers: [] });

export async function askDesk() {
  const { open, advisers } = await getJson('/api/chat/desk');
  desk.set({ asked: true, open, advisers });
}

export const freeAdvisers = ({ advisers }) => Array.from(advisers ?? []).filter(adviser => adviser.free);
