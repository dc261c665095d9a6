import { api } from "/shared/api.js";
import { h } from "/shared/dom.js";

/** A sheet of one job. Its requests live as long as the sheet does. */
export class JobSheet extends HTMLElement {
  #life = null;

  async connectedCallback() {
    this.#life = new AbortController();
    this.textContent = "Opening …";
    const job = await api.get(`/api/jobs/${this.dataset.job}`, { signal: this.#life.signal }).catch(() => null);
    if (!job || !this.isConnected) return;
    this.replaceChildren(
      h("h2", {}, job.title),
      h("p", {}, `${job.place}, ${job.at}, ${job.minutes} minutes. Bring: ${job.tools.join(", ")}`),
      h("button", { type: "button", class: "accept", onclick: () => this.accept(job) }, "Accept job"),
      " ",
      h("button", { type: "button", class: "close", onclick: () => this.close() }, "Close"),
    );
  }

  disconnectedCallback() {
    this.#life?.abort();
  }

  accept(job) {
    api.post(`/api/jobs/${job.id}/accept`, { by: "T-17" }, { signal: this.#life.signal }).catch((error) => {
      if (error.name !== "AbortError") this.dispatchEvent(new CustomEvent("refused", { bubbles: true, detail: job }));
    });
    this.close();
  }

  close() {
    this.dispatchEvent(new CustomEvent("done", { bubbles: true }));
    this.remove();
  }
}

customElements.define("job-sheet", JobSheet);
