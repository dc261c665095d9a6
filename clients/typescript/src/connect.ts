// From an address to a client; what differs between platforms comes in as an argument.

import { Credentials, SessionChannel, type Channel, type Hooks, type Limits, type LinkMaker } from "./channel.js";
import { Client } from "./client.js";
import { Deadline } from "./core/async.js";
import { endpoint, isPrivate, manifestUrl } from "./core/policy.js";
import { ConnectionError, TimeoutError, UsageError } from "./errors.js";
import { HttpChannel, type HttpPlatform } from "./links/http.js";
import { WebSocketLink, type SocketMaker } from "./links/websocket.js";
import type { ClientOptions } from "./options.js";

export interface Platform {
  readonly http: HttpPlatform;
  readonly socket: SocketMaker | undefined;
  /** Whether HTTP requests may be sent again behind our back: then a WebSocket is better, if there is one. */
  readonly resends?: boolean;
}

export interface ConnectOptions extends ClientOptions {
  /** Given an http(s) address: read its manifest, and go on over the WebSocket that it announces.
   * Then there is progress, and an invocation can be cancelled. Default: false in Node; in browsers
   * a WebSocket is used where it can be, because browsers may send an HTTP request twice. */
  readonly websocket?: boolean;
  readonly signal?: AbortSignal;
}

const CONNECT_MS = 10_000;
const MAX_ANSWER = 16 * 1024 * 1024;

/** Times are milliseconds and more than nothing. */
function checkTimes(options: ClientOptions): void {
  const names = ["timeoutMs", "connectTimeoutMs", "readyTimeoutMs", "maxRetryWaitMs", "maxAnswerBytes"] as const;
  const wrong = names.filter((name) => options[name] !== undefined && !(Number(options[name]) > 0));
  if (wrong.length)
    throw new UsageError(
      "these options are wrong",
      wrong.map((name) => ({ path: name, message: "is a number above 0" })),
    );
}

function limitsOf(options: ClientOptions): Limits {
  return {
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_MS,
    maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWER,
  };
}

/** A caller's function must not break the connection. */
function hooksOf(options: ClientOptions): Hooks {
  const guarded =
    <A extends unknown[]>(callback: ((...args: A) => void) | undefined) =>
    (...args: A): void => {
      try {
        callback?.(...args);
      } catch {
        // it is the caller's, and there is nobody else to tell
      }
    };
  return { manifest: guarded(options.onManifest), notice: guarded(options.onNotice), trace: guarded(options.trace) };
}

function credentialsOf(options: ClientOptions): Credentials {
  return new Credentials(options.token, options.scheme ?? "bearer");
}

async function opened(channel: Channel, options: ClientOptions, signal: AbortSignal | undefined): Promise<Client> {
  const ms = 2 * (options.connectTimeoutMs ?? CONNECT_MS); // each part has its own limit; this is for all
  const deadline = new Deadline(
    ms,
    () => new TimeoutError(`${channel.target} did not answer within ${ms} ms`, { sent: false }),
    [signal],
  );
  try {
    checkTimes(options);
    const client = new Client(channel, options);
    await channel.connect(deadline.signal);
    return client;
  } catch (error) {
    await channel.close();
    throw error;
  } finally {
    deadline.clear();
  }
}

export function openSession(maker: LinkMaker, options: ClientOptions, signal?: AbortSignal): Promise<Client> {
  return opened(
    new SessionChannel(maker, credentialsOf(options), limitsOf(options), hooksOf(options)),
    options,
    signal,
  );
}

export function limitOf(options: ClientOptions): number {
  return limitsOf(options).maxAnswerBytes;
}

function openWebSocket(url: URL, trusted: boolean, platform: Platform, options: ConnectOptions): Promise<Client> {
  const make = platform.socket,
    most = limitOf(options),
    certificate = platform.http.certificate;
  if (!make) throw new UsageError("there is no WebSocket on this platform");
  const link = (): WebSocketLink => new WebSocketLink(url, trusted, make, most, certificate);
  const maker = { target: url.href, reopens: true, make: link };
  return openSession(maker, options, options.signal);
}

export async function connectOn(
  platform: Platform,
  target: string | URL,
  options: ConnectOptions = {},
): Promise<Client> {
  let url: URL;
  try {
    url = new URL(target);
  } catch {
    throw new UsageError(`${JSON.stringify(String(target))} is no URL`);
  }
  if (url.username || url.password) throw new UsageError("an address has no name and no password in it; give a token");
  if (options.token !== undefined && options.insecure !== true && !isPrivate(url))
    throw new UsageError(`${url.origin} is not encrypted, so no token goes there; use https or wss, or insecure: true`);
  if (url.protocol === "ws:" || url.protocol === "wss:") return openWebSocket(url, true, platform, options);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UsageError(`an address begins with http, https, ws or wss, not with ${url.protocol}`);
  const channel = new HttpChannel(
    manifestUrl(url),
    credentialsOf(options),
    platform.http,
    limitsOf(options),
    hooksOf(options),
  );
  if (options.websocket === false || (options.websocket === undefined && !platform.resends))
    return opened(channel, options, options.signal);
  return overAnnounced(channel, platform, options);
}

/** Go on over the WebSocket that the manifest announces. Where that was not asked for, HTTP does too. */
async function overAnnounced(channel: HttpChannel, platform: Platform, options: ConnectOptions): Promise<Client> {
  const asked = options.websocket === true;
  try {
    const manifest = await channel.connect(options.signal ?? new AbortController().signal);
    const announced = manifest.extensions["x-websocket"];
    if (typeof announced !== "string")
      throw new ConnectionError(`${channel.target} announces no WebSocket`, { sent: false });
    const where = endpoint(announced, channel.url, "ws");
    if (!asked && manifest.auth.required && !where.trusted)
      throw new ConnectionError(`${where.url.href} is not where the manifest came from`, { sent: false });
    const client = await openWebSocket(where.url, where.trusted, platform, options);
    await channel.close();
    return client;
  } catch (error) {
    if (!asked && error instanceof ConnectionError && !options.signal?.aborted && channel.manifest) {
      options.onNotice?.(`HTTP is used, and no WebSocket: ${error.message}`);
      return opened(channel, options, options.signal);
    }
    await channel.close();
    throw error;
  }
}
