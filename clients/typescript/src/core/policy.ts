// When a client may ask, when it may ask again, and where it may show its credentials. No I/O.

import { ConnectionError } from "../errors.js";
import type { ErrorPayload } from "./types.js";

// ---- asking again (P-ERR-13 to -15)

export const MAX_ATTEMPTS = 5;
const FIRST_GAP_MS = 100;
const RETRIED = ["rate_limited", "server_not_ready"];

/** The attempts of one request. An invocation that is answered so was not taken up. */
export class Attempts {
  #made = 0;

  constructor(readonly maxWaitMs: number) {}

  get made(): number {
    return this.#made;
  }

  begin(): void {
    this.#made++;
  }

  /** How long to wait before the next attempt, or undefined: give up. Never less than the server
   * asked for, each gap longer than the one before, and no longer than this client cares to wait. */
  gapAfter(error: ErrorPayload): number | undefined {
    if (!RETRIED.includes(error.code) || this.#made >= MAX_ATTEMPTS) return undefined;
    const gap = (error.retry_after_ms ?? 0) + FIRST_GAP_MS * 2 ** (this.#made - 1);
    return gap <= this.maxWaitMs ? gap : undefined;
  }
}

/** Pauses between looks at a manifest, or between attempts to connect: growing up to five seconds. */
export class Pauses {
  #next: number;

  constructor(first = 250) {
    this.#next = first;
  }

  next(atLeast = 0): number {
    const pause = Math.max(this.#next, atLeast);
    this.#next = Math.min(this.#next * 2, 5000);
    return pause;
  }
}

// ---- where things are (P-DISC-1 to -4, P-HTTP-4)

export const WELL_KNOWN = "/.well-known/manglecp/manifest.json";

/** Whether nobody between can read along: it is encrypted, or does not leave this machine. */
export function isPrivate(url: URL): boolean {
  if (url.protocol === "https:" || url.protocol === "wss:") return true;
  return /^(127\.\d+\.\d+\.\d+|\[::1\]|([^.]+\.)*localhost)$/.test(url.hostname);
}

/** The manifest's URL for what a user gave: a host, or the manifest itself. */
export function manifestUrl(target: string | URL): URL {
  const url = new URL(target);
  if (url.pathname === "/" || url.pathname === "") url.pathname = WELL_KNOWN;
  url.hash = "";
  return url;
}

function isSecure(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "wss:";
}

/** Host and port: a WebSocket belongs to the server whose http(s) address it shares. */
function authority(url: URL): string {
  return `${isSecure(url) ? "s" : "p"}:${url.hostname}:${url.port}`;
}

export interface Endpoint {
  readonly url: URL;
  /** May credentials go there? Only to where the manifest came from. */
  readonly trusted: boolean;
}

/** Resolve an address that a manifest gives. What was found over TLS never leads away from it. */
export function endpoint(reference: string, base: URL, kind: "http" | "ws"): Endpoint {
  let url: URL;
  try {
    url = new URL(reference, base);
  } catch {
    throw new ConnectionError(`the manifest gives ${JSON.stringify(reference.slice(0, 200))}, which is no URL`, {
      sent: false,
    });
  }
  if (kind === "ws" && url.protocol === "http:") url.protocol = "ws:";
  if (kind === "ws" && url.protocol === "https:") url.protocol = "wss:";
  const schemes = kind === "ws" ? ["ws:", "wss:"] : ["http:", "https:"];
  if (!schemes.includes(url.protocol))
    throw new ConnectionError(`the manifest gives ${url.href}, which is not ${schemes.join(" or ")}`, { sent: false });
  if (url.username || url.password)
    throw new ConnectionError("the manifest gives an address with a name or a password in it", { sent: false });
  if (isSecure(base) && !isSecure(url))
    throw new ConnectionError(
      `the manifest was read over TLS and leads to ${url.href}, which is not; it is not followed`,
      { sent: false },
    );
  url.hash = "";
  return { url, trusted: authority(url) === authority(base) };
}
