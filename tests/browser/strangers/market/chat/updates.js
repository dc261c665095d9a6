import { getJson, wait } from '/lib/http.js';

export async function* updates(pause) {
  let since = 0;
  for (;;) {
    const body = await getJson(`/api/inbox/updates?since=${since}`);
    since = body.last_id ?? since;
    if (body.messages.length) yield body.messages;
    await wait(pause);
  }
}
