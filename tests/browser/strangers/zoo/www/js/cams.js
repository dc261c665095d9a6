import { getJSON } from '/lib/http.js';
import { $ } from '/lib/dom.js';
class Camera {
  constructor(screen) { this.screen = screen; }
  watch(id) {
    $('#chosen').textContent = id;
    const frame = async () => { this.screen.textContent = (await getJSON(`/api/cams/${id}/frame`)).caption; };
    frame();
    this.timer = setInterval(frame, 900);
  }
}
const camera = new Camera($('#screen'));
for (const c of await getJSON('/api/cams')) {
  const b = document.createElement('button');
  b.id = 'cam-' + c.id; b.textContent = c.name;
  b.onclick = () => camera.watch(c.id);
  $('#cams').append(b);
}
