import { api, optional } from '/assets/lib/api.js';

export function actionsOf(store) {
  let paused = false;
  return {
    async loadShifts({ week, team }) {
      if (paused) return;
      try {
        const { shifts } = await api.get('/api/rota/shifts', { week, team });
        store.commit({ shifts, loaded: Date.now(), notice: '' });
      } catch (error) {
        paused = error.status === 429;
        store.commit({ shifts: [], notice: paused ? 'Too many requests. Please come back in a minute.' : 'The rota cannot be shown.' });
      }
    },
    async loadTeams() {
      store.commit({ teams: await optional(api.get('/api/rota/teams'), []) });
    },
    chooseTeam(team) {
      store.commit({ team });
    },
  };
}
