import { getJSON } from "/lib/http.js";

class LoungeChat extends HTMLElement {
  #tries = 0;
  people = [];

  connectedCallback() {
    this.attachShadow({ mode: "open" });
    this.render();
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/ws/lounge?crossing=N204`);
    socket.onmessage = ({ data }) => { this.people = JSON.parse(data).people; this.render(); };
    socket.onclose = () => setTimeout(() => this.connect(), Math.min(8000, 500 * 2 ** this.#tries++));
  }

  render() {
    const count = this.people.length;
    this.shadowRoot.innerHTML = `<p>${count ? `${count} in the lounge` : "Nobody is in the lounge yet."}</p><input placeholder="Say something">`;
  }
}
customElements.define("lounge-chat", LoungeChat);
getJSON("/api/lounge/rules").then((rules) => { document.querySelector("#rules").textContent = rules.text; });
