export function openThread(id, on) {
  const socket = new WebSocket(`ws://${location.host}/coral/api/threads/${id}/live`);
  socket.addEventListener('open', () => on.status('connected'));
  socket.addEventListener('close', () => on.status('disconnected'));
  socket.addEventListener('message', (event) => {
    const frame = JSON.parse(event.data);
    switch (frame.type) {
      case 'message.created': on.created(frame.data); break;
      case 'message.deleted': on.deleted(frame.data.id); break;
      default: break;
    }
  });
  return socket;
}
