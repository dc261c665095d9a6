// A way to ask a server: what HTTP and the session links have in common for the client, and how it
// is done over a session. Over HTTP: links/http.ts.

import { Deadline, orAborted, Settable, sleep } from "./core/async.js";
import { readAuthenticated, readError } from "./core/answers.js";
import type { Message, RequestType } from "./core/envelope.js";
import { takesRequests } from "./core/manifest.js";
import { Pauses } from "./core/policy.js";
import { Ids, Session, type SessionEvent } from "./core/session.js";
import type { AuthenticateResponse, Manifest, Progress } from "./core/types.js";
import type { JsonObjectInput } from "./core/values.js";
import {
  AuthError,
  ConnectionError,
  MangleCPError,
  NotReadyError,
  ProtocolFaultError,
  ServerError,
  TimeoutError,
  UsageError,
} from "./errors.js";
import type { SessionLink } from "./links/link.js";

// ---- what all channels know

/** The token, or where it comes from. `again`: the last one was not accepted. */
export type Token = string | ((again: boolean) => string | Promise<string>);

const TOKEN_MS = 60_000;

export class Credentials {
  #last: Promise<string> | undefined;

  constructor(
    readonly token: Token | undefined,
    readonly scheme: string,
  ) {
    if (typeof token === "string") checkToken(token);
  }

  get given(): boolean {
    return this.token !== undefined;
  }

  /** Whether asking again may give another one. */
  get renewable(): boolean {
    return typeof this.token === "function";
  }

  renew(): void {
    this.#last = this.#fetch(true);
    this.#last.catch(() => undefined);
  }

  get(): Promise<string> {
    this.#last ??= this.#fetch(false);
    const last = this.#last;
    last.catch(() => {
      if (this.#last === last) this.#last = undefined;
    });
    return last;
  }

  async #fetch(again: boolean): Promise<string> {
    if (typeof this.token !== "function") return this.token ?? "";
    const late = (): Error =>
      new TimeoutError(`the token function gave nothing within ${TOKEN_MS} ms`, { sent: false });
    const deadline = new Deadline(TOKEN_MS, late);
    try {
      const token = await orAborted(Promise.resolve(this.token(again)), deadline.signal);
      checkToken(token);
      return token;
    } finally {
      deadline.clear();
    }
  }
}

function checkToken(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError("a token is visible ASCII without spaces");
}

/** What a server with these credentials would answer; known without asking. */
export function authRequired(manifest: Manifest, why = "the server wants credentials; give a token"): AuthError {
  const { schemes, token_url } = manifest.auth;
  return new AuthError(
    {
      code: "auth_required",
      message: why,
      recoverable: true,
      details: { schemes: [...schemes], ...(token_url ? { token_url } : {}) },
    },
    0,
  );
}

export interface Ask {
  readonly type: RequestType;
  readonly payload: JsonObjectInput;
  readonly extensions?: JsonObjectInput;
  readonly timeoutMs: number;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

export interface Hooks {
  manifest(manifest: Manifest): void;
  notice(text: string): void;
  trace(direction: "sent" | "received", text: string): void;
}

export interface Limits {
  readonly connectTimeoutMs: number;
  readonly maxAnswerBytes: number;
}

/** Every promise ends by itself: with an answer, or an error that says whether the request may have
 * been read. An aborted signal throws its reason where nothing can have happened. */
export interface Channel {
  readonly target: string;
  readonly manifest: Manifest | undefined;
  readonly identity: AuthenticateResponse | undefined;
  readonly credentials: Credentials;
  /** Whether there is a login, which a server can forget; else credentials come with each request. */
  readonly logsIn: boolean;
  /** The credentials were not accepted: get others, and log in with them. */
  logInAgain(): void;
  /** Be connected, and know the manifest of today. */
  connect(signal: AbortSignal): Promise<Manifest>;
  /** Wait for another manifest than `last`. */
  renew(last: Manifest, signal: AbortSignal, pauses: Pauses): Promise<Manifest>;
  /** Ask once. The message is the terminal one: the answer, or an error. Throws NotReadyError if
   * the server has stopped taking requests meanwhile; then nothing was sent. */
  ask(ask: Ask): Promise<Message>;
  close(): Promise<void>;
}

export function tooLarge(text: string, manifest: Manifest): void {
  const most = manifest.limits.max_message_bytes;
  if (text.length * 3 <= most) return;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > most)
    throw new UsageError(`the message has ${bytes} bytes; the server takes ${most}`, [
      { path: "", message: "is too large", issue: "message_too_large" },
    ]);
}

// ---- over a session

const MAX_OPEN = 256;
const RECONNECTIONS = 5;
const CANCEL_GRACE_MS = 2000;

interface Waiting {
  readonly answer: Settable<Message>;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** One connection, from its first byte to its last. */
class Connection {
  readonly session: Session;
  readonly waiting = new Map<string, Waiting>();
  login: Promise<AuthenticateResponse> | undefined;
  #news = new Settable<Manifest>();
  #over: Error | undefined;

  constructor(
    readonly link: SessionLink,
    ids: Ids,
    readonly hooks: Hooks,
  ) {
    this.session = new Session(ids);
  }

  get over(): Error | undefined {
    return this.#over;
  }

  /** Whether nothing can be sent any more. */
  get lost(): boolean {
    return this.#over !== undefined || !this.link.writable;
  }

  /** The next manifest; rejects when the connection ends. */
  get news(): Promise<Manifest> {
    return this.#news.promise;
  }

  async open(timeoutMs: number, closing: AbortSignal): Promise<void> {
    const late = (): Error =>
      new TimeoutError(`${this.link.target} sent no manifest within ${timeoutMs} ms`, { sent: false });
    const deadline = new Deadline(timeoutMs, late, [closing]);
    try {
      await this.link.open(
        { message: (text) => this.#message(text), closed: (error) => this.end(error) },
        deadline.signal,
      );
      if (!this.session.manifest) await orAborted(this.news, deadline.signal); // P-WS-2
    } catch (error) {
      this.end(error as Error);
      await this.link.close();
      if (error instanceof MangleCPError && !(error instanceof ConnectionError && error.sent)) throw error;
      if (error instanceof ConnectionError) throw new ConnectionError(error.message, { sent: false, cause: error });
      throw new ConnectionError(`${this.link.target}: ${(error as Error).message}`, { sent: false, cause: error });
    } finally {
      deadline.clear();
    }
  }

  #message(text: string): void {
    this.hooks.trace("received", text);
    const event = this.session.receive(text);
    if (event.kind === "broken") {
      this.end(event.error);
      void this.link.close();
    } else {
      this.#dispatch(event);
    }
  }

  #dispatch(event: Exclude<SessionEvent, { kind: "broken" }>): void {
    switch (event.kind) {
      case "manifest": {
        const news = this.#news;
        this.#news = new Settable();
        this.hooks.manifest(event.manifest);
        news.resolve(event.manifest);
        break;
      }
      case "answer": {
        const waiting = this.waiting.get(event.id);
        this.waiting.delete(event.id);
        waiting?.answer.resolve(event.message);
        break;
      }
      case "progress":
        this.waiting.get(event.id)?.onProgress?.(event.progress);
        break;
      case "notice":
        this.hooks.notice(event.text);
    }
  }

  /** Nothing more will come. */
  end(error: Error | undefined): void {
    if (this.#over) return;
    const over = (this.#over =
      error ?? new ConnectionError(`${this.link.target} closed the connection`, { sent: true }));
    const told = (sent: boolean): Error =>
      over instanceof ConnectionError && over.sent === sent
        ? over
        : new ConnectionError(over.message, { sent, cause: over });
    this.#news.reject(told(false)); // whoever waits for a manifest has not asked
    for (const { answer } of this.waiting.values()) answer.reject(told(true));
    this.waiting.clear();
  }

  write(text: string, shown = text): void {
    if (this.#over) throw new ConnectionError(this.#over.message, { sent: false, cause: this.#over });
    this.link.send(text);
    this.hooks.trace("sent", shown);
  }

  /** Send one request and wait for its terminal message. */
  async exchange(ask: Ask, shown?: JsonObjectInput): Promise<Message> {
    if (this.waiting.size >= MAX_OPEN) throw new UsageError(`more than ${MAX_OPEN} requests are open at once`);
    if (ask.signal?.aborted) throw ask.signal.reason;
    const { id, text } = this.session.request(ask.type, ask.payload, ask.extensions);
    const answer = new Settable<Message>();
    try {
      tooLarge(text, this.session.manifest!);
      this.write(text, shown && JSON.stringify({ type: ask.type, id, payload: shown }));
    } catch (error) {
      this.session.forget(id);
      throw error;
    }
    this.waiting.set(id, { answer, onProgress: ask.onProgress });
    const late = (): Error =>
      new TimeoutError(`${this.link.target} did not answer ${ask.type} within ${ask.timeoutMs} ms`, { sent: true });
    const deadline = new Deadline(ask.timeoutMs, late, [ask.signal]);
    try {
      return await orAborted(answer.promise, deadline.signal);
    } catch (error) {
      if (!deadline.signal.aborted || this.#over) throw error;
      return await this.#abandon(id, ask, answer, deadline.late, error);
    } finally {
      deadline.clear();
      this.waiting.delete(id);
    }
  }

  /** Time is up, or the caller lost interest. An invocation that was asked to stop says what became
   * of it; one that is merely late is left alone: its outcome can still be asked for. */
  async #abandon(id: string, ask: Ask, answer: Settable<Message>, late: boolean, error: unknown): Promise<Message> {
    const invocation = ask.type === "invoke_request";
    if (!(invocation && late)) {
      try {
        this.write(this.session.cancel(id));
      } catch {
        throw error;
      }
    }
    if (!invocation || late) {
      this.session.forget(id);
      throw error;
    }
    const grace = new Deadline(
      CANCEL_GRACE_MS,
      () => new ConnectionError("it was asked to stop and did not say what became of it", { sent: true, cause: error }),
    );
    try {
      return await orAborted(answer.promise, grace.signal);
    } finally {
      grace.clear();
      this.session.forget(id);
    }
  }
}

/** Makes the links of a channel: one after the other, where that is possible. */
export interface LinkMaker {
  readonly target: string;
  /** A child that ended is not started again: whatever it knew is lost. */
  readonly reopens: boolean;
  make(): SessionLink;
}

export class SessionChannel implements Channel {
  readonly logsIn = true;
  readonly #ids = new Ids();
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #manifest: Manifest | undefined;
  #identity: AuthenticateResponse | undefined;
  #refused: AuthError | undefined; // what does not change is not tried again
  readonly #closing = new AbortController();

  constructor(
    readonly maker: LinkMaker,
    readonly credentials: Credentials,
    readonly limits: Limits,
    readonly hooks: Hooks,
  ) {}

  get target(): string {
    return this.maker.target;
  }

  get manifest(): Manifest | undefined {
    return this.#connection?.session.manifest ?? this.#manifest;
  }

  get identity(): AuthenticateResponse | undefined {
    return this.#identity;
  }

  async connect(signal: AbortSignal): Promise<Manifest> {
    const connection = await this.#connected(signal);
    return connection.session.manifest!;
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  logInAgain(): void {
    this.credentials.renew();
    if (this.#connection) this.#connection.login = undefined;
  }

  async #connected(signal: AbortSignal): Promise<Connection> {
    if (this.#closed) throw new ConnectionError("this client is closed", { sent: false });
    if (this.#connection && !this.#connection.over) return this.#connection;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return orAborted(this.#opening, signal);
  }

  /** Once for the first time; a lost connection is tried for a few times (P-WS-7). */
  async #open(): Promise<Connection> {
    const before = this.#connection;
    if (before && !this.maker.reopens)
      throw new ConnectionError(before.over!.message, { sent: false, cause: before.over });
    const pauses = new Pauses(100);
    for (let attempt = 1; ; attempt++) {
      const connection = new Connection(this.maker.make(), this.#ids, this.hooks);
      try {
        await connection.open(this.limits.connectTimeoutMs, this.#closing.signal);
        if (this.#closed) {
          await connection.link.close();
          throw new ConnectionError("this client is closed", { sent: false });
        }
        this.#connection = connection;
        this.#manifest = connection.session.manifest;
        return connection;
      } catch (error) {
        if (!before || this.#closed || attempt >= RECONNECTIONS || error instanceof ProtocolFaultError) throw error;
        this.hooks.notice(`attempt ${attempt} to connect again: ${(error as Error).message}`);
        await sleep(pauses.next(), this.#closing.signal);
      }
    }
  }

  async renew(last: Manifest, signal: AbortSignal, pauses: Pauses): Promise<Manifest> {
    const connection = await this.#connected(signal);
    if (connection.session.manifest !== last) return connection.session.manifest!;
    try {
      return await orAborted(connection.news, signal);
    } catch (error) {
      if (signal.aborted || !this.maker.reopens || this.#closed) throw error;
      await sleep(pauses.next(), signal);
      return this.connect(signal);
    }
  }

  async ask(ask: Ask): Promise<Message> {
    const signal = ask.signal ?? new AbortController().signal;
    for (let again = false; ; again = true) {
      const connection = await this.#connected(signal);
      const ready = (): void => {
        const manifest = connection.session.manifest!;
        if (!takesRequests(manifest)) throw new NotReadyError(`the server is ${manifest.status}`, manifest.status);
      };
      try {
        ready();
        await orAborted(this.#login(connection, ask.timeoutMs), signal);
        ready();
        return await connection.exchange(ask);
      } catch (error) {
        /* It was lost before anything of this request went out: once more, on the next connection. */
        if (again || !this.maker.reopens || !connection.lost || !(error instanceof ConnectionError) || error.sent)
          throw error;
        connection.end(error);
      }
    }
  }

  /** Each connection begins as nobody (P-WS-8). */
  async #login(connection: Connection, timeoutMs: number): Promise<unknown> {
    const { auth } = connection.session.manifest!;
    if (!auth.required && !(this.credentials.given && auth.schemes.length)) return undefined;
    if (!this.credentials.given && connection.link.certified) return undefined;
    if (!this.credentials.given) throw authRequired(connection.session.manifest!);
    if (!connection.link.trusted)
      throw authRequired(
        connection.session.manifest!,
        `${this.target} is not where the manifest came from: credentials are not shown there`,
      );
    if (this.#refused && !this.credentials.renewable) throw this.#refused;
    connection.login ??= this.#authenticate(connection, timeoutMs);
    try {
      return await connection.login;
    } catch (error) {
      connection.login = undefined;
      throw error;
    }
  }

  async #authenticate(connection: Connection, timeoutMs: number): Promise<AuthenticateResponse> {
    for (let again = false; ; again = true) {
      const token = await this.credentials.get();
      const scheme = this.credentials.scheme;
      const ask: Ask = {
        type: "authenticate",
        payload: { scheme, token },
        timeoutMs,
        signal: undefined,
        onProgress: undefined,
      };
      const message = await connection.exchange(ask, { scheme, token: "…" });
      if (message.type !== "error") return (this.#identity = readAuthenticated(message.payload));
      const error = readError(message.payload);
      if (!error.code.startsWith("auth_")) throw new ServerError(error);
      this.#refused = new AuthError(error);
      if (again || !this.credentials.renewable) throw this.#refused;
      this.credentials.renew();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new ConnectionError("this client was closed", { sent: false }));
    const connection = this.#connection;
    connection?.end(new ConnectionError("this client was closed", { sent: true }));
    await Promise.all([
      connection?.link.close(),
      this.#opening?.then(
        (c) => c.link.close(),
        () => undefined,
      ),
    ]);
  }
}
