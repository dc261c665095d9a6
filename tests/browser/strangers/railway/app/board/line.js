/** The live line to the signal boxes; comes again after it has ended. */
export function liveLine(path, take) {
  let pause = 500;
  let socket;
  const open = () => {
    socket = new WebSocket(`ws://${location.host}${path}`);
    socket.onmessage = ({ data }) => { pause = 500; take(JSON.parse(data)); };
    socket.onclose = () => {
      pause = Math.min(pause * 2, 8000);
      setTimeout(open, pause);
    };
  };
  open();
  return () => socket.close();
}
