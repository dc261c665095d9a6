Linden.widgets.add('tasks', async (place) => {
  const { items } = await Linden.http.get('/api/tasks?for=me');
  place.innerHTML = '<h2>Tasks</h2>' + items.map((t) => `<label><input type="checkbox"> ${Linden.esc(t)}</label>`).join('');
});
