const chunks = { panel: '/help/chat-panel.7c1f9e.js' };
const box = document.querySelector('#chat');

async function start() {
  box.innerHTML = '<p class="muted">Connecting...</p>';
  try {
    const { ChatPanel } = await import(chunks.panel);
    new ChatPanel(box).open();
  } catch {
    box.innerHTML = '<p class="error">Chat is not available right now.</p>';
  }
}

document.querySelector('#start').addEventListener('click', start);
