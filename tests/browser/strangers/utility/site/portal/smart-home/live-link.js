/** A line to the home; it comes again when it was lost. */
export class LiveLink extends EventTarget {
  #tries = 0;

  open() {
    const socket = new WebSocket(`ws://${location.host}/live/devices`);
    socket.addEventListener("open", () => {
      this.#tries = 0;
      this.dispatchEvent(new Event("up"));
    });
    socket.addEventListener("message", (event) =>
      this.dispatchEvent(new CustomEvent("state", { detail: JSON.parse(event.data) })));
    socket.addEventListener("close", () => {
      this.#tries += 1;
      setTimeout(() => this.open(), Math.min(8000, 500 * 2 ** this.#tries));
    });
  }
}
