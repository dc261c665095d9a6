import { getJSON } from '/lib/http.js';
import { h } from '/lib/ui.js';

class StudyViewer extends HTMLElement {
  open(study) {
    const frame = h('iframe', { title: study.what, src: `/viewer/series.html?study=${study.id}` });
    this.replaceChildren(frame);
    frame.addEventListener('load', () => {
      document.getElementById('said').textContent = `${study.what}: ${study.images} images are ready.`;
    });
  }
}
customElements.define('study-viewer', StudyViewer);

const viewer = document.querySelector('study-viewer');
const studies = await getJSON('/api/imaging/studies');
document.getElementById('studies').append(...studies.map((study) =>
  h('li', null, h('button', { id: `open-${study.id}`, onclick: () => viewer.open(study) }, study.what))));
