// Loads the tag of the advertising network after the page's own work.
(function () {
  const other = document.documentElement.dataset.other;
  function load() {
    const slot = document.getElementById('ad-slot');
    if (!slot) return;
    const tag = document.createElement('script');
    tag.src = other + '/ads/tag.js';
    tag.async = true;
    tag.onerror = () => {
      slot.hidden = true;
      console.warn('[ads] no fill for slot %s', slot.dataset.unit || 'default');
    };
    document.head.appendChild(tag);
    fetch(other + '/ads/bid?unit=' + (slot.dataset.unit || 'default'), { mode: 'no-cors' })
      .catch(() => console.warn('[ads] bidder unreachable, falling back to house ad'));
  }
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 800 });
  else setTimeout(load, 300);
})();
