import { api } from '../shared/client.js';
import { h, mount, useState, useEffect } from '../shared/limelight.js';
import { log } from '../shared/log.js';

const defaults = { house: 'main', open: true };

function useQuery(path, parameters) {
  const [state, setState] = useState({ busy: true, data: null });
  useEffect(() => {
    let live = true;
    setState((s) => (s.busy ? s : { ...s, busy: true }));
    api.get(`${path}?${new URLSearchParams(parameters)}`)
      .then((data) => { if (live) setState({ busy: false, data }); })
      .catch((error) => { log.note(path, error.name); if (live) setState({ busy: false, data: null }); });
    return () => { live = false; };
  }, [path, parameters]);
  return state;
}

function Row({ item, onCall, called }) {
  return h('tr', null,
    h('td', null, item.role),
    h('td', null, item.first),
    h('td', null, item.cover),
    h('td', null, h('button', { type: 'button', onClick: () => onCall(item.role), disabled: called }, called ? 'Called' : 'Call')));
}

function Cover({ filter }) {
  const { busy, data } = useQuery('/understudies', { ...defaults, ...filter });
  const [called, setCalled] = useState([]);
  const call = (role) => setCalled((list) => [...list, role]);
  return h('div', null,
    h('p', { class: 'muted' }, busy ? 'Asking the stage office ...' : `As of ${data ? data.asOf : '-'}`),
    h('table', null,
      ((data && data.items) || []).map((item) => h(Row, { item, onCall: call, called: called.includes(item.role) }))));
}

function Note() {
  const [text, setText] = useState('');
  useEffect(() => {
    api.get('/office/alerts').then(({ alerts }) => setText(alerts.map((a) => a.text).join('; ')));
  }, []);
  return h('p', null, text);
}

function App() {
  const [house, setHouse] = useState('main');
  return h('section', null,
    h(Note),
    h('div', { class: 'row' },
      ['main', 'small'].map((name) => h('button', { type: 'button', onClick: () => setHouse(name), disabled: name === house }, name))),
    h(Cover, { filter: { house } }));
}

mount(App, document.querySelector('#app'));
