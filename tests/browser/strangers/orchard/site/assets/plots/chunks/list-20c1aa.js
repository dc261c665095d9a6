export function mount(host, plots) {
  const list = document.createElement('ul');
  for (const plot of plots) {
    const item = document.createElement('li');
    item.textContent = `${plot.id}: ${plot.crop}`;
    list.append(item);
  }
  host.replaceChildren(list);
}
