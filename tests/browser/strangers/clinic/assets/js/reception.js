(function (Linden) {
  'use strict';
  const { $, esc } = Linden;
  const ROOM = 'reception';
  const address = `ws://${location.host}/ws/chat?room=${ROOM}`;
  let socket;
  let waits = 0;
  let count = 0;

  const once = (target, name) => new Promise((resolve) => target.addEventListener(name, resolve, { once: true }));
  const send = (frame) => socket.send(JSON.stringify(frame));

  function line(from, text, ref) {
    const item = document.createElement('li');
    item.innerHTML = `<b>${esc(from)}</b> ${esc(text)}`;
    if (ref) {
      item.id = ref;
      item.className = 'pending';
    }
    $('#lines').append(item);
  }

  const incoming = {
    joined: ({ members }) => { $('#state').title = members.join(', '); },
    message: ({ from, text }) => line(from, text),
    ack: ({ ref }) => document.getElementById(ref)?.classList.remove('pending'),
  };

  function connect() {
    socket = new WebSocket(address);
    socket.addEventListener('open', () => {
      waits = 0;
      $('#state').textContent = 'connected';
    });
    socket.addEventListener('message', (event) => {
      const frame = JSON.parse(event.data);
      incoming[frame.type]?.(frame);
    });
    socket.addEventListener('close', () => {
      $('#state').textContent = 'connecting again';
      waits += 1;
      setTimeout(connect, 300 * waits);
    });
  }

  $('#composer').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = $('#say').value.trim();
    if (!text || socket.readyState !== WebSocket.OPEN) return;
    const ref = `m${count += 1}`;
    line('You', text, ref);
    send({ type: 'say', ref, text });
    $('#say').value = '';
  });

  connect();
  once(socket, 'open').then(() => send({ type: 'join', room: ROOM }));
})(window.Linden);
