window.Supervision = {
  async rules() {
    for (let n = 0; n < 3; n++) {
      const r = await fetch('/api/supervision/rules');
      if (r.ok) return r.json();
      console.warn('supervision: rules', r.status, 'once more');
      await new Promise((f) => setTimeout(f, 300));
    }
    return { minutes: 15, perTerm: 5 };
  },
  async profile() {
    try {
      const r = await fetch('/api/supervision/profile');
      if (!r.ok) throw new Error(r.status);
      return await r.json();
    } catch (e) {
      return {};
    }
  },
  hours(tutor) {
    const asked = new URLSearchParams({ tutor: tutor || '', term: '2026W' });
    return fetch('/api/supervision/hours?' + asked).then((r) => r.json());
  },
};
