export class QtyStepper extends HTMLElement {
  static observedAttributes = ['value'];
  #shown;
  get value() { return this.getAttribute('value'); }
  set value(next) { this.setAttribute('value', next); }
  get step() { return Number(this.getAttribute('step') ?? 1); }

  connectedCallback() {
    const less = document.createElement('button');
    const more = document.createElement('button');
    this.#shown = document.createElement('output');
    less.textContent = '−';
    less.className = 'less';
    more.textContent = '+';
    more.className = 'more';
    less.onclick = () => this.#change(this.value - this.step);
    more.onclick = () => this.#change(this.value + this.step);
    this.replaceChildren(less, this.#shown, more);
    this.attributeChangedCallback();
  }
  attributeChangedCallback() {
    if (this.#shown) this.#shown.textContent = this.value;
  }
  #change(next) {
    this.value = next;
    this.dispatchEvent(new CustomEvent('quantity', { bubbles: true, detail: { line: this.dataset.line, qty: this.value } }));
  }
}
customElements.define('qty-stepper', QtyStepper);
