const PLACES = [
  ['/travel/connections', 'Connections'], ['/travel/departures', 'Departures'], ['/travel/timetable', 'Timetable'],
  ['/travel/wallet', 'Tickets'], ['/service/lost', 'Lost property'], ['/service/chat', 'Service'], ['/staff/roster', 'Staff'],
];

class RailHeader extends HTMLElement {
  connectedCallback() {
    this.innerHTML = `<strong>Norrland Rail</strong> <nav>${
      PLACES.map(([path, name]) => `<a href="${path}">${name}</a>`).join('')}</nav>`;
  }
}
customElements.define('rail-header', RailHeader);

// counts visits; nobody minds when it is blocked
fetch('http://127.0.0.1:@@NOBODY@@/collect?p=' + encodeURIComponent(location.pathname), { mode: 'no-cors' }).catch(() => {});

requestIdleCallback(() => {
  const ornament = new Image();
  ornament.alt = '';
  ornament.className = 'small';
  ornament.src = '/img/winter-' + new Date().getFullYear() + '.webp';
  ornament.onerror = () => ornament.remove();
  document.body.append(ornament);
});
