// The package as Node has it: what browsers have, and servers as child processes.

import type { Client } from "./client.js";
import { connectOn, limitOf, openSession, type ConnectOptions } from "./connect.js";
import { UsageError } from "./errors.js";
import { StdioLink, type ProcessOptions } from "./links/stdio.js";
import { NodeSocket } from "./links/upgrade.js";
import { platformSocket } from "./links/websocket.js";
import type { ClientOptions } from "./options.js";

export * from "./public.js";
export type { ProcessOptions } from "./links/stdio.js";

/** Connect to a server by its address: http(s)://HOST, the manifest's own URL, or ws(s)://. Resolves
 * once its manifest was read; close the client when done. */
export function connect(target: string | URL, options: ConnectOptions = {}): Promise<Client> {
  const http = {
    fetch: (url: string, init: RequestInit) => globalThis.fetch(url, init),
    streams: true,
    conditional: true,
  };
  const own = (url: URL, maxBytes: number): NodeSocket => new NodeSocket(url, maxBytes);
  return connectOn({ http, socket: platformSocket() ?? own }, target, options);
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
