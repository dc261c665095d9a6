export class Toasts {
  constructor(host = document.body, { stay = 900 } = {}) {
    this.stay = stay;
    this.element = document.createElement('div');
    this.element.className = 'toast-host is-quiet';
    this.element.setAttribute('role', 'status');
    host.append(this.element);
  }

  show(text) {
    const toast = document.createElement('div');
    toast.className = 'toast';
    toast.textContent = text;
    this.element.replaceChildren(toast);
    this.element.classList.remove('is-quiet');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), this.stay);
  }

  hide() {
    this.element.classList.add('is-quiet');
    this.timer = setTimeout(() => this.element.replaceChildren(), 500);
  }
}
