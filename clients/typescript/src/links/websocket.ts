// One message is one text frame on a WebSocket. The socket is the platform's own (browsers, Node from
// 22 on) or that of upgrade.ts; both look the same from here.

import { CLOSE_GOING_AWAY, CLOSE_NORMAL, CLOSE_TOO_BIG, CLOSE_UNSUPPORTED } from "../core/frames.js";
import { utf8Length } from "../core/json.js";
import { ConnectionError, ProtocolFaultError } from "../errors.js";
import { MAX_UNSENT_BYTES, type LinkEvents, type SessionLink } from "./link.js";

/** The part of the platform's WebSocket that is used. */
export interface Socket {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((event: object) => void) | null;
}

/** Makes a socket that is connecting. `maxBytes` bounds a message, where that can be said; `trusted`:
 * the credentials may be shown there. */
export type SocketMaker = (url: URL, maxBytes: number, trusted: boolean) => Socket;

const OPEN = 1;
const CLOSE_MS = 5000;

/** The platform's WebSocket, if it has one. */
export function platformSocket(): SocketMaker | undefined {
  const make = (globalThis as { WebSocket?: new (url: string) => unknown }).WebSocket;
  return make && ((url) => new make(url.href) as Socket);
}

function whyClosed(target: string, code: number, reason: string): ConnectionError | undefined {
  if (code === CLOSE_NORMAL) return undefined;
  const said = reason ? `: ${JSON.stringify(reason.slice(0, 200))}` : "";
  if (code === CLOSE_GOING_AWAY) return new ConnectionError(`${target} is going away${said}`, { sent: true });
  return new ConnectionError(`${target} closed with ${code}${said}`, { sent: true });
}

export class WebSocketLink implements SessionLink {
  readonly target: string;
  readonly certified: boolean;
  #socket: Socket | undefined;
  #closed: Promise<void> = Promise.resolve();
  #over = true;
  #opened = false;

  constructor(
    readonly url: URL,
    readonly trusted: boolean,
    readonly make: SocketMaker,
    readonly maxBytes: number,
    certificate = false,
  ) {
    this.target = url.href;
    this.certified = certificate && trusted && url.protocol === "wss:";
  }

  open(events: LinkEvents, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const socket = this.make(this.url, this.maxBytes, this.trusted);
      this.#socket = socket;
      this.#over = false;
      let why: Error | undefined;
      let done: () => void = () => undefined;
      this.#closed = new Promise((resolveClosed) => (done = resolveClosed));
      const end = (error: Error | undefined): void => {
        signal.removeEventListener("abort", abort);
        if (this.#over) return;
        this.#over = true;
        reject(error ?? new ConnectionError(`${this.target} closed at once`, { sent: false }));
        events.closed(error);
      };
      const abort = (): void => {
        why = signal.reason as Error;
        socket.close();
        end(why);
      };
      signal.addEventListener("abort", abort, { once: true });
      socket.onopen = () => {
        this.#opened = true;
        signal.removeEventListener("abort", abort);
        resolve();
      };
      socket.onerror = (event) => {
        /* A close ought to follow, but Node's socket has none for a handshake that failed. */
        if (!this.#opened)
          end(
            why ??
              new ConnectionError(
                `${this.target}: ${String((event as { message?: unknown }).message || "the handshake failed")}`,
                { sent: false },
              ),
          );
      };
      socket.onclose = ({ code, reason }) => {
        end(why ?? whyClosed(this.target, code, reason));
        done();
      };
      socket.onmessage = ({ data }) => {
        if (this.#over) return;
        const wrong = this.#wrong(data);
        if (!wrong) return events.message(data as string);
        socket.close(wrong.code, wrong.why);
        end(new ProtocolFaultError(`${this.target} sent ${wrong.why}`, { sent: true }));
      };
    });
  }

  #wrong(data: unknown): { code: number; why: string } | undefined {
    /* Browsers let a page close with 1000 and with 3000 to 4999 only. */
    if (typeof data !== "string") return { code: 2000 + CLOSE_UNSUPPORTED, why: "a binary message" };
    if (data.length > this.maxBytes || (data.length * 3 > this.maxBytes && utf8Length(data) > this.maxBytes))
      return { code: 2000 + CLOSE_TOO_BIG, why: "a message that is too large" };
    return undefined;
  }

  get writable(): boolean {
    return !this.#over && this.#socket?.readyState === OPEN;
  }

  send(text: string): void {
    const socket = this.#socket;
    if (!socket || !this.writable) throw new ConnectionError(`${this.target} is closed`, { sent: false });
    if (socket.bufferedAmount > MAX_UNSENT_BYTES)
      throw new ConnectionError(`${this.target} does not read what it is sent`, { sent: false });
    socket.send(text);
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#over = true;
    if (!socket) return;
    socket.close(CLOSE_NORMAL);
    if (!this.#opened) return; // no goodbye is awaited where nobody was met
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([this.#closed, new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)))]);
    clearTimeout(timer);
  }
}
