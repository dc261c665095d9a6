import { check } from "./rules.js";

export class Form {
  constructor(element, send) {
    this.element = element;
    this.send = send;
    element.addEventListener("submit", (event) => this.submit(event));
  }

  submit(event) {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(this.element));
    const problems = check(values);
    this.show(problems);
    if (Object.keys(problems).length) return;
    this.send(values);
  }

  show(problems) {
    for (const place of this.element.querySelectorAll("[data-problem]")) {
      place.textContent = problems[place.dataset.problem] ?? "";
    }
  }
}
