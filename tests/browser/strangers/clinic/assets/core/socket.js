export function lasting(url, { hello, onFrame, onState }) {
  let socket;
  let tries = 0;

  function open() {
    socket = new WebSocket(url);
    socket.addEventListener('open', () => {
      tries = 0;
      onState('online');
      socket.send(JSON.stringify(hello()));
    });
    socket.addEventListener('message', (event) => onFrame(JSON.parse(event.data)));
    socket.addEventListener('close', () => {
      onState('reconnecting');
      tries += 1;
      setTimeout(open, Math.min(400 * tries, 5000));
    });
  }

  open();
  return { send: (frame) => socket.send(JSON.stringify(frame)) };
}
