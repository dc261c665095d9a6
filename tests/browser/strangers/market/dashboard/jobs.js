import { getJson, sendJson, wait } from '/lib/http.js';

export async function run(path, options, tell) {
  let job = await sendJson('POST', path, options);
  while (job.status !== 'completed') {
    if (job.status === 'failed') throw new Error('job failed');
    await wait(700);
    job = await getJson(`${path}/${job.id}`);
    tell(job);
  }
  return getJson(job.url);
}
