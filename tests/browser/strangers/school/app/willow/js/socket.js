export function openThread(id, on, last = 0, attempt = 0) {
  const query = last ? `?after=${last}` : '';
  const socket = new WebSocket(`ws://${location.host}/willow/api/threads/${id}/live${query}`);
  socket.addEventListener('open', () => { attempt = 0; on.status('connected'); });
  socket.addEventListener('message', (event) => {
    const frame = JSON.parse(event.data);
    if (frame.type === 'message.created') {
      last = frame.message.id;
      on.created(frame.message);
    }
  });
  socket.addEventListener('close', () => {
    on.status('connecting again…');
    setTimeout(() => openThread(id, on, last, attempt + 1), Math.min(400 * 2 ** attempt, 10000));
  });
}
