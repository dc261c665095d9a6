export function mount(el) { el.innerHTML = "<li>Monday: Ana, Piet</li><li>Tuesday: Lou</li>"; }
