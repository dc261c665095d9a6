const memory = new Map();
const key = (id) => `courier:draft:${id}`;

export const drafts = {
  keep(draft) {
    const text = JSON.stringify({ ...draft, keptAt: Date.now() });
    try {
      localStorage.setItem(key(draft.id), text);
    } catch (error) {
      console.debug('[drafts] kept in memory', error.name);
      memory.set(draft.id, text); // private windows have no storage
    }
    return true;
  },
  find(id) {
    const text = localStorage.getItem(key(id)) ?? memory.get(id);
    return text ? JSON.parse(text) : null;
  },
};
