const facts = (move) => [`Flight ${move.flight}`, `Stand ${move.stand}`, `Crew ${move.crew}`, `Fuel ${move.fuel} kg`, `Delay ${move.delay} min`];

export function attachTip(row, move) {
  const tip = document.createElement('div');
  tip.className = 'tip';
  for (const fact of facts(move)) {
    const line = document.createElement('div');
    line.textContent = fact;
    tip.append(line);
  }
  document.body.append(tip);
  const place = () => {
    tip.style.top = `${row.offsetTop}px`;
  };
  window.addEventListener('resize', place);
  row.addEventListener('mouseenter', () => { place(); tip.style.visibility = 'visible'; tip.style.left = '50%'; });
  row.addEventListener('mouseleave', () => { tip.style.visibility = ''; tip.style.left = ''; });
}
