import { http } from '/lib/http.js';

export function follow(show) {
  const poll = async () => show((await http.get('/api/notices')).notices);
  const socket = new WebSocket(`ws://${location.host}/live/notices`);
  socket.onmessage = ({ data }) => show(JSON.parse(data).notices);
  socket.onerror = () => {
    console.warn('notices: no push here, asking every two seconds');
    poll();
    setInterval(poll, 2000);
  };
}
