// What is switched on for this newsroom is kept by the platform team's service.
const SERVICE = 'http://127.0.0.1:@@NOBODY@@/v3/settings/newsroom.json';
let pending;
function all() {
  pending ??= fetch(SERVICE, { credentials: 'omit' }).then((response) => response.json()).catch(() => ({}));
  return pending;
}
export async function setting(name, otherwise) {
  return (await all())[name] ?? otherwise;
}
