const Session = (() => {
  const listeners = [];
  let user = null;

  async function call(path, options) {
    const response = await fetch(path, { credentials: 'same-origin', ...options });
    if (response.status === 401) {
      end();
      throw new Error('unauthenticated');
    }
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response.json();
  }

  function end() {
    user = null;
    listeners.forEach(listener => listener('ended'));
  }

  async function signIn(name, secret) {
    const answer = await call('/auth/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, secret }),
    });
    user = answer.user;
    listeners.forEach(listener => listener('begun'));
    return user;
  }

  return {
    signIn,
    call,
    methods: () => call('/auth/methods'),
    get user() { return user; },
    on: listener => listeners.push(listener),
  };
})();
