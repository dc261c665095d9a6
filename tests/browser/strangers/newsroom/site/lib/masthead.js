// The head of every page: a custom element, so that print templates may use it too.
const LINKS = [['/start/', 'Home'], ['/desk/planning/', 'Desk'], ['/wire/inbox/', 'Wire'], ['/media/library/', 'Pictures'],
  ['/rota/week/', 'Rota']];

class Masthead extends HTMLElement {
  connectedCallback() {
    const name = document.createElement('strong');
    name.textContent = 'The Harbour Courier ';
    this.append(name, ...LINKS.map(([href, text]) => {
      const link = document.createElement('a');
      link.href = href;
      link.textContent = text;
      return link;
    }));
  }
}
customElements.define('nr-masthead', Masthead);
