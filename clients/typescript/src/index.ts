// The package as browsers have it: HTTP and WebSocket. Nothing of Node is reachable from here.

import type { Client } from "./client.js";
import { connectOn, type ConnectOptions } from "./connect.js";
import { platformSocket } from "./links/websocket.js";

export * from "./public.js";

/** Connect to a server by its address: http(s)://HOST, the manifest's own URL, or ws(s)://. Resolves
 * once its manifest was read; close the client when done. */
export function connect(target: string | URL, options: ConnectOptions = {}): Promise<Client> {
  const http = {
    fetch: (url: string, init: RequestInit) => globalThis.fetch(url, init),
    streams: false,
    conditional: false,
  };
  return connectOn({ http, socket: platformSocket(), resends: true }, target, options);
}
