// Over HTTP, with fetch: the manifest from its well-known place (P-DISC-1 to -4), requests posted to
// the endpoints that it names. The rules that matter here:
//
//   - credentials go to the manifest's own origin alone; the manifest itself is read without them
//   - redirects are never followed; what was found over https never leads to http
//   - a request is written once. The standard lets fetch send a body again (after 421 for one), and
//     Node's does; a body that is a stream cannot be read twice, so on Node it is one. Browsers take
//     streams over HTTP/2 alone, and Chromium repeats a POST when a connection that it used before is
//     closed without an answer: there a WebSocket is preferred (connect.ts), and where there is none,
//     the idempotency key is what keeps the tool from running twice
//   - answers are read up to a bound, and within a time

import type { Ask, Channel, Credentials, Hooks, Limits } from "../channel.js";
import { authRequired, tooLarge } from "../channel.js";
import { Deadline, orAborted, sleep } from "../core/async.js";
import { ANSWER_OF, decode, encode, type Message } from "../core/envelope.js";
import { JsonError, decodeUtf8 } from "../core/json.js";
import { readManifest, takesRequests } from "../core/manifest.js";
import { endpoint, type Endpoint, type Pauses } from "../core/policy.js";
import { Ids } from "../core/session.js";
import type { Manifest } from "../core/types.js";
import {
  ConnectionError,
  NotMangleCPError,
  NotReadyError,
  ProtocolFaultError,
  RedirectError,
  TimeoutError,
} from "../errors.js";
import { vouchingHint } from "./link.js";

/** `trusted`: the credentials may be shown there. */
export type Fetch = (url: string, init: RequestInit, trusted: boolean) => Promise<Response>;

/** How this platform's fetch is to be used. */
export interface HttpPlatform {
  readonly fetch: Fetch;
  /** Bodies as streams with their length beside them: sent once for certain. */
  readonly streams: boolean;
  /** If-None-Match by ourselves; a browser's cache does it by itself, and CORS would ask first. */
  readonly conditional: boolean;
  /** Where the credentials may be shown, TLS says who the client is. */
  readonly certificate?: boolean;
}

const MIN_AGE_MS = 5000,
  USUAL_AGE_MS = 60_000,
  MAX_AGE_MS = 300_000;
const NOTHING_SENT =
  /^(ECONNREFUSED|SELF_SIGNED_CERT_IN_CHAIN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|.*_CERT|.*_CERTIFICATE|UNABLE_TO_.*)$/;

/** Why fetch failed, in words, and whether the request may have gone out. */
function failure(url: string, error: unknown): ConnectionError {
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause;
  const code = typeof cause?.code === "string" ? cause.code : "";
  const words = [cause?.message, code, (error as Error).message].find((text) => typeof text === "string" && text);
  return new ConnectionError(`${url}: ${String(words)}${vouchingHint(code)}`, { sent: !NOTHING_SENT.test(code), cause: error });
}

function maxAge(header: string | null): number {
  if (header === null) return USUAL_AGE_MS;
  const found = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(header);
  if (!found || /no-cache|no-store/i.test(header)) return MIN_AGE_MS;
  return Math.min(Math.max(Number(found[1]) * 1000, MIN_AGE_MS), MAX_AGE_MS);
}

/** Milliseconds of a Retry-After in seconds or as a date. */
function retryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a server says in a line of text, such as that it speaks TLS. */
function inWords(answer: Answer): string {
  const text = answer.text.trim();
  const plain = (answer.headers.get("content-type") ?? "").startsWith("text/plain");
  return plain && text.length <= 200 && /^[ -~]+$/.test(text) ? `: ${text}` : "";
}

export class HttpChannel implements Channel {
  readonly logsIn = false;
  readonly target: string;
  readonly identity = undefined;
  readonly #ids = new Ids();
  readonly #closed = new AbortController();
  #manifest: Manifest | undefined;
  #etag: string | null = null;
  #freshUntil = 0;
  #reading: Promise<Manifest> | undefined;

  constructor(
    readonly url: URL,
    readonly credentials: Credentials,
    readonly platform: HttpPlatform,
    readonly limits: Limits,
    readonly hooks: Hooks,
  ) {
    this.target = url.href;
  }

  get manifest(): Manifest | undefined {
    return this.#manifest;
  }

  logInAgain(): void {
    this.credentials.renew();
  }

  async connect(signal: AbortSignal): Promise<Manifest> {
    if (this.#manifest && Date.now() < this.#freshUntil) return this.#manifest;
    return this.#look(signal);
  }

  async renew(_last: Manifest, signal: AbortSignal, pauses: Pauses): Promise<Manifest> {
    await sleep(pauses.next(), signal);
    return this.#look(signal);
  }

  #look(signal: AbortSignal): Promise<Manifest> {
    this.#reading ??= this.#readManifest().finally(() => (this.#reading = undefined));
    return orAborted(this.#reading, signal);
  }

  async #readManifest(): Promise<Manifest> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (this.platform.conditional && this.#etag && this.#manifest) headers["If-None-Match"] = this.#etag;
    const answer = await this.#fetch(
      { url: this.url, trusted: true },
      { method: "GET", headers, cache: "no-cache" },
      this.limits.connectTimeoutMs,
      undefined,
      false,
    );
    const fresh = (): void => void (this.#freshUntil = Date.now() + maxAge(answer.headers.get("cache-control")));
    if (answer.status === 304 && this.#manifest) {
      fresh();
      return this.#manifest;
    }
    if (answer.status === 404)
      throw new NotMangleCPError(`${this.target} is not there: this host does not speak MangleCP`, { sent: false });
    if (answer.status !== 200)
      throw new ConnectionError(
        `${this.target} answered with status ${answer.status}, and not with a manifest${inWords(answer)}`,
        { sent: false },
      );
    const message = decode(answer.text, false);
    if (message.type !== "manifest")
      throw new ProtocolFaultError(
        `${this.target} answered with ${message.type.slice(0, 40)}, and not with a manifest`,
        { sent: false },
      );
    const manifest = readManifest(message.payload);
    if (!manifest.endpoints)
      throw new ProtocolFaultError(`the manifest of ${this.target} names no endpoints`, { sent: false });
    this.#manifest = manifest;
    this.#etag = answer.headers.get("etag");
    fresh();
    this.hooks.manifest(manifest);
    return manifest;
  }

  async ask(ask: Ask): Promise<Message> {
    const manifest = this.#manifest!;
    if (!takesRequests(manifest)) throw new NotReadyError(`the server is ${manifest.status}`, manifest.status);
    const where = endpoint(
      ask.type === "intent_request" ? manifest.endpoints!.intent_eval : manifest.endpoints!.macro_invoke,
      this.url,
      "http",
    );
    const id = this.#ids.next();
    const text = encode(ask.type, id, ask.payload, ask.extensions);
    tooLarge(text, manifest);
    const headers = await this.#headers(manifest, where);
    if (ask.signal?.aborted) throw ask.signal.reason;
    if (this.#closed.signal.aborted) throw new ConnectionError("this client is closed", { sent: false });
    this.hooks.trace("sent", text);
    const answer = await this.#post(where, headers, text, ask);
    this.hooks.trace("received", answer.text);
    return this.#message(where.url, answer, ask, id);
  }

  async #headers(manifest: Manifest, where: Endpoint): Promise<Record<string, string>> {
    const headers: Record<string, string> = { "Content-Type": "application/json", Accept: "application/json" };
    if (!this.credentials.given) {
      const certified = this.platform.certificate && where.trusted && where.url.protocol === "https:";
      if (manifest.auth.required && !certified) throw authRequired(manifest);
      return headers;
    }
    if (!where.trusted) {
      if (manifest.auth.required)
        throw authRequired(
          manifest,
          `${where.url.href} is not where the manifest came from: credentials are not shown there`,
        );
      return headers;
    }
    const token = await this.credentials.get();
    if (this.credentials.scheme === "api_key") headers["X-MangleCP-API-Key"] = token;
    else headers["Authorization"] = `Bearer ${token}`;
    return headers;
  }

  #post(where: Endpoint, headers: Record<string, string>, text: string, ask: Ask): Promise<Answer> {
    const init: RequestInit & { duplex?: "half" } = { method: "POST", headers, cache: "no-store" };
    if (this.platform.streams) {
      const bytes = new TextEncoder().encode(text);
      headers["Content-Length"] = String(bytes.length);
      init.duplex = "half";
      init.body = new ReadableStream({
        start(controller) {
          controller.enqueue(bytes);
          controller.close();
        },
      });
    } else {
      init.body = text;
    }
    return this.#fetch(where, init, ask.timeoutMs, ask.signal, true);
  }

  /** Fetch and read to the end. An error after the first byte may have left says `sent`. */
  async #fetch(
    { url, trusted }: Endpoint,
    init: RequestInit,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    asking: boolean,
  ): Promise<Answer> {
    const late = (): Error => new TimeoutError(`${url.href} did not answer within ${timeoutMs} ms`, { sent: asking });
    const deadline = new Deadline(timeoutMs, late, [signal, this.#closed.signal]);
    try {
      const whole: RequestInit = {
        ...init,
        signal: deadline.signal,
        redirect: "manual",
        credentials: "omit",
        referrerPolicy: "no-referrer",
      };
      const response = await this.platform.fetch(url.href, whole, trusted);
      if (
        response.type === "opaqueredirect" ||
        (response.status >= 300 && response.status < 400 && response.status !== 304)
      ) {
        void response.body?.cancel().catch(() => undefined);
        throw new RedirectError(url.href, response.headers.get("location") ?? undefined);
      }
      return { status: response.status, headers: response.headers, text: await this.#body(url, response, asking) };
    } catch (error) {
      if (deadline.late) throw late();
      if (this.#closed.signal.aborted) throw new ConnectionError("this client was closed", { sent: asking });
      if (signal?.aborted)
        throw new ConnectionError(`${url.href}: it was given up`, { sent: asking, cause: signal.reason });
      if (error instanceof ConnectionError) throw error;
      const failed = failure(url.href, error);
      throw asking ? failed : new ConnectionError(failed.message, { sent: false, cause: error });
    } finally {
      deadline.clear();
    }
  }

  async #body(url: URL, response: Response, asking: boolean): Promise<string> {
    const most = this.limits.maxAnswerBytes,
      reader = response.body?.getReader();
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) break;
      bytes += piece.value.length;
      if (bytes > most) {
        void reader?.cancel().catch(() => undefined);
        throw new ProtocolFaultError(`${url.href} answered with more than ${most} bytes`, { sent: asking });
      }
      pieces.push(piece.value);
    }
    const whole = new Uint8Array(bytes);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    try {
      return decodeUtf8(whole);
    } catch (error) {
      if (error instanceof JsonError)
        throw new ProtocolFaultError(`${url.href} answered with what is not UTF-8`, { sent: asking });
      throw error;
    }
  }

  #message(url: URL, answer: Answer, ask: Ask, id: string): Message {
    const type = answer.headers.get("content-type") ?? "";
    if (!/^application\/([a-z.-]+\+)?json\s*(;|$)/i.test(type))
      throw new ProtocolFaultError(
        `${url.href} answered with status ${answer.status} and ${type || "no type"}, which is no message`,
        { sent: true },
      );
    const message = decode(answer.text, true);
    const wrong = (what: string): never => {
      throw new ProtocolFaultError(`${url.href} answered ${ask.type} with ${what}`, { sent: true });
    };
    if (message.id !== id && !(message.id === null && message.type === "error"))
      return wrong("a message for another request");
    if (message.type !== "error")
      return message.type === ANSWER_OF[ask.type] ? message : wrong(message.type.slice(0, 40));
    const wait = retryAfter(answer.headers.get("retry-after"), Date.now());
    if (message.payload["code"] === "server_not_ready") this.#freshUntil = 0; // look again before the next one
    if (wait === undefined || typeof message.payload["retry_after_ms"] === "number") return message;
    return { ...message, payload: { ...message.payload, retry_after_ms: wait } };
  }

  async close(): Promise<void> {
    this.#closed.abort(new ConnectionError("this client was closed", { sent: true }));
  }
}
