class HouseHeader extends HTMLElement {
  connectedCallback() {
    const links = [['/programme', 'Programme'], ['/subscriptions', 'Subscriptions'], ['/my/bookings', 'My bookings'],
      ['/magazine', 'Magazine'], ['/shop', 'Shop'], ['/desk', 'Box office']];
    this.innerHTML = '<strong>Stadttheater</strong>' + links.map(([to, name]) => `<a href="${to}">${name}</a>`).join('');
  }
}
customElements.define('house-header', HouseHeader);
