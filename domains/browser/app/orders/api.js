// Everything that the page asks the server for goes through here.
let token = "";

export function useToken(next) {
  token = next ?? "";
}

/** The data behind `path`; nothing where the server has none for us. */
export async function ask(path, options = {}) {
  const headers = { accept: "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  if (options.body) headers["content-type"] = "application/json";
  const answer = await fetch(path, { ...options, headers });
  const data = await answer.json();
  return answer.ok ? data : undefined;
}
