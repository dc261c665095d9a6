export class ChatPanel {
  constructor(root) {
    this.root = root;
  }
  open() {
    this.root.innerHTML = '<ol id="log"></ol><input id="say"><button>Send</button>';
  }
}
