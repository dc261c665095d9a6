// Which parts are switched on; a site without a file has all of them.
export async function flags() {
  const answer = await fetch('/config/flags.json');
  return answer.ok ? answer.json() : { certificates: true };
}

export function remembered(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch (error) {
    console.error(`${key} cannot be read, starting afresh`, error);
    localStorage.removeItem(key);
    return otherwise;
  }
}
