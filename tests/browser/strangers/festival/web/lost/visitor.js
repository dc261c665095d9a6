export function visitor() {
  let id = sessionStorage.getItem('lost.visitor');
  if (!id) sessionStorage.setItem('lost.visitor', id = Math.random().toString(36).slice(2));
  return id;
}
