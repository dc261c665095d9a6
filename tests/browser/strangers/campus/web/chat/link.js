export function link(take, state) {
  let after = 0;
  const poll = async () => {
    const answer = await fetch(`/api/chat/messages?after=${after}`);
    if (answer.status === 200) {
      const list = await answer.json();
      after = Math.max(after, ...list.map((m) => m.n));
      take(list);
    }
    setTimeout(poll, 800);
  };
  const socket = new WebSocket('ws://127.0.0.1:@@NOBODY@@/talk');
  socket.onerror = () => { console.error('chat: no socket here, asking instead'); state('Connected (asking every second).'); poll(); };
  socket.onmessage = (e) => take(JSON.parse(e.data));
}
