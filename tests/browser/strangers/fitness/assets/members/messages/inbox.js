import { getJson } from "/assets/lib/http.js";
import { Channel } from "./channel.js";

class MemberInbox extends HTMLElement {
  connectedCallback() {
    this.innerHTML = `<p class="muted" part="empty">No messages yet.</p><ul></ul>`;
    const channel = new Channel("/socket/messages");
    channel.on("message", (frame) => this.add(frame));
    channel.post({ type: "subscribe", topic: "inbox" });
    getJson("/api/messages/unread").then(({ unread }) => {
      document.querySelector("#unread").textContent = `${unread} unread`;
    });
  }

  add({ from, text }) {
    this.querySelector("p").hidden = true;
    const item = document.createElement("li");
    item.textContent = `${from}: ${text}`;
    this.querySelector("ul").append(item);
  }
}

customElements.define("member-inbox", MemberInbox);
