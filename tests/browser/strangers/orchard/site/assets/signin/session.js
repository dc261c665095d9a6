var Session = (function () {
  function json(answer) {
    return answer.json().then(function (body) {
      if (!answer.ok) {
        var error = new Error(body.error || answer.statusText);
        error.status = answer.status;
        throw error;
      }
      return body;
    });
  }

  function open(member, pin) {
    return fetch('/api/session', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ member: member, pin: pin })
    }).then(json);
  }

  function account() {
    return fetch('/api/account', { credentials: 'same-origin' }).then(json);
  }

  return { open: open, account: account };
})();
