export const subject = (raw) => raw.replace(/=\?utf-8\?B\?([^?]*)\?=/gi, (_, b) =>
  new TextDecoder().decode(Uint8Array.from(atob(b), (c) => c.charCodeAt(0))));
