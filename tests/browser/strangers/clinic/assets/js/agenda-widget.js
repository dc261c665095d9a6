Linden.widgets.add('agenda', async (place) => {
  const { items } = await Linden.http.get('/api/agenda?for=me');
  place.innerHTML = '<h2>Agenda</h2>' + items.map((a) => `<p>${Linden.esc(a.at)} ${Linden.esc(a.who)}</p>`).join('');
});
