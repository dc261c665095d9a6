// The package as Node has it: what browsers have, and servers as child processes.

import type { Client } from "./client.js";
import { connectOn, limitOf, openSession, type ConnectOptions, type Platform } from "./connect.js";
import { UsageError } from "./errors.js";
import type { Fetch } from "./links/http.js";
import { StdioLink, type ProcessOptions } from "./links/stdio.js";
import { fetchWith, readTls, type Tls, type TlsOptions } from "./links/tls.js";
import { NodeSocket } from "./links/upgrade.js";
import { platformSocket, type SocketMaker } from "./links/websocket.js";
import type { ClientOptions } from "./options.js";

export * from "./public.js";
export type { ProcessOptions } from "./links/stdio.js";
export type { TlsOptions } from "./links/tls.js";

export interface NodeConnectOptions extends ConnectOptions, TlsOptions {}

/** Connect to a server by its address: http(s)://HOST, the manifest's own URL, or ws(s)://. Resolves
 * once its manifest was read; close the client when done. */
export async function connect(target: string | URL, options: NodeConnectOptions = {}): Promise<Client> {
  return connectOn(platformOf(readTls(options)), target, options);
}

/** Node's own fetch and WebSocket take no certificates: with some, both are ours. */
function platformOf(tls: Tls | undefined): Platform {
  const fetch: Fetch = tls ? fetchWith(tls) : (url, init) => globalThis.fetch(url, init);
  const own: SocketMaker = (url, maxBytes, trusted) =>
    new NodeSocket(url, maxBytes, undefined, trusted ? tls?.known : tls?.unknown);
  return {
    http: { fetch, streams: !tls, conditional: true, certificate: tls?.certificate === true },
    socket: tls ? own : (platformSocket() ?? own),
  };
}

export interface SpawnOptions extends ClientOptions, ProcessOptions {
  readonly signal?: AbortSignal;
}

/** Start a server as a child process and speak to it over its standard input and output:
 * `spawn(["manglecp", "serve", "domains/browser", "--stdio"])`. Resolves once its manifest was read.
 * Closing the client ends the child. */
export function spawn(command: readonly string[], options: SpawnOptions = {}): Promise<Client> {
  if (!command.length || command.some((word) => typeof word !== "string"))
    throw new UsageError("a command is an array of texts, the program first");
  const { cwd, env, stderr } = options;
  const process = {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(stderr === undefined ? {} : { stderr }),
  };
  const maker = {
    target: command[0] ?? "",
    reopens: false,
    make: () => new StdioLink(command, process, limitOf(options)),
  };
  return openSession(maker, options, options.signal);
}
