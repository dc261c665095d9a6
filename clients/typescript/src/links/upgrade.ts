// A WebSocket of our own for Node before 22, on node:http's upgrade: the handshake here, the frames in
// core/frames.ts. Redirects are not followed, no extension and no subprotocol is asked for.

import { request as httpRequest, type Socket as TcpSocket } from "node:http";
import { request as httpsRequest } from "node:https";
import { toBase64url } from "../core/confirm.js";
import {
  CLOSE_ABNORMAL,
  CLOSE_NO_STATUS,
  CLOSE_NORMAL,
  CLOSE_UNSUPPORTED,
  closeFrame,
  FrameReader,
  pingFrame,
  pongFrame,
  textFrame,
  type FrameEvent,
} from "../core/frames.js";
import { vouchingHint } from "./link.js";
import type { Socket } from "./websocket.js";

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const CONNECTING = 0,
  OPEN = 1,
  CLOSING = 2,
  CLOSED = 3;
const CLOSE_MS = 3000;
const PING_MS = 30_000; // P-WS-9: when nothing was heard for so long; dead if nothing is for as long again
const MAX_PONGS_WAITING = 1024 * 1024;

function random(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** A timer that keeps no process alive. */
function unref(timer: unknown): void {
  (timer as { unref(): void }).unref();
}

function base64(bytes: Uint8Array): string {
  const text = toBase64url(bytes).replace(/-/g, "+").replace(/_/g, "/");
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

async function acceptFor(key: string): Promise<string> {
  return base64(new Uint8Array(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(key + MAGIC))));
}

export class NodeSocket implements Socket {
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  onerror: Socket["onerror"] = null;
  #state = CONNECTING;
  #tcp: TcpSocket | undefined;
  #abort: () => void;
  readonly #reader: FrameReader;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = true;
  #close: { code: number; reason: string } = { code: CLOSE_ABNORMAL, reason: "" };

  constructor(
    url: URL,
    maxBytes: number,
    readonly pingMs = PING_MS,
    secureContext?: object, // of node:tls
  ) {
    this.#reader = new FrameReader(maxBytes);
    const key = base64(random(16)),
      http = new URL(url);
    http.protocol = url.protocol === "wss:" ? "https:" : "http:";
    const make = http.protocol === "https:" ? httpsRequest : httpRequest;
    const req = make(http, {
      agent: false,
      ...(secureContext ? { secureContext } : {}),
      headers: { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13" },
    });
    this.#abort = () => req.destroy();
    req.on("error", (error) => this.#end(CLOSE_ABNORMAL, error.message + vouchingHint(error.code)));
    req.on("response", (response) => {
      const where = response.headers["location"];
      response.destroy();
      this.#end(
        CLOSE_ABNORMAL,
        where
          ? `it redirects to ${String(where)}; redirects are not followed`
          : `it answered ${response.statusCode} and not with an upgrade`,
      );
    });
    req.on("upgrade", (response, tcp, head) => {
      this.#tcp = tcp;
      tcp.on("error", () => undefined); // a close follows
      tcp.on("close", () => this.#end(this.#close.code, this.#close.reason));
      if (this.#state !== CONNECTING) return tcp.destroy();
      void acceptFor(key).then((accept) => this.#upgraded(accept, response.headers, tcp, head));
    });
    req.end();
  }

  get readyState(): number {
    return this.#state;
  }

  get bufferedAmount(): number {
    return this.#tcp?.writableLength ?? 0;
  }

  #upgraded(
    accept: string,
    headers: { readonly [name: string]: string | string[] | undefined },
    tcp: TcpSocket,
    head: Uint8Array,
  ): void {
    if (this.#state !== CONNECTING) return tcp.destroy();
    const wrong =
      String(headers["upgrade"]).toLowerCase() !== "websocket"
        ? "its upgrade is to something else"
        : headers["sec-websocket-accept"] !== accept
          ? "its handshake answers another key"
          : headers["sec-websocket-extensions"]
            ? "it uses an extension that nobody asked for"
            : headers["sec-websocket-protocol"]
              ? "it uses a subprotocol that nobody asked for"
              : undefined;
    if (wrong) {
      tcp.destroy();
      return this.#end(CLOSE_ABNORMAL, wrong);
    }
    this.#state = OPEN;
    tcp.setNoDelay(true);
    tcp.setTimeout(0);
    this.#keepAlive();
    this.onopen?.(undefined as never);
    tcp.on("data", (bytes) => this.#read(bytes));
    tcp.on("end", () => tcp.destroy());
    if (head.length) this.#read(head);
  }

  /** A ping when nothing was heard for a while; if nothing comes of it, the connection is dead. */
  #keepAlive(): void {
    this.#timer = setTimeout(() => {
      if (!this.#heard) {
        this.#close = { code: CLOSE_ABNORMAL, reason: "it does not answer pings" };
        return this.#tcp?.destroy();
      }
      this.#heard = false;
      this.#write(pingFrame(new Uint8Array(0), random(4)));
      this.#keepAlive();
    }, this.pingMs);
    unref(this.#timer);
  }

  #write(bytes: Uint8Array): void {
    if (this.#tcp && !this.#tcp.destroyed) this.#tcp.write(bytes);
  }

  #read(bytes: Uint8Array): void {
    this.#heard = true;
    for (const event of this.#reader.read(bytes)) this.#on(event);
  }

  #on(event: FrameEvent): void {
    switch (event.kind) {
      case "text":
        if (this.#state === OPEN) this.onmessage?.({ data: event.text });
        break;
      case "binary":
        this.#fail(CLOSE_UNSUPPORTED, "a binary message");
        break;
      case "ping": // a peer that pings and does not read gets no answer
        if (this.bufferedAmount < MAX_PONGS_WAITING) this.#write(pongFrame(event.data, random(4)));
        break;
      case "pong":
        break;
      case "close":
        this.#close = { code: event.code, reason: event.reason };
        if (this.#state === OPEN) this.#write(closeFrame(event.code, "", random(4)));
        this.#closing();
        this.#tcp?.end();
        break;
      case "fail":
        this.#fail(event.code, event.why);
    }
  }

  /** The other side broke the protocol: say so, and wait for nothing. */
  #fail(code: number, why: string): void {
    if (this.#state === CLOSED) return;
    if (this.#state === OPEN) this.#write(closeFrame(code, why, random(4)));
    const tcp = this.#tcp;
    tcp?.end();
    unref(setTimeout(() => tcp?.destroy(), CLOSE_MS));
    this.#end(code, why);
  }

  /** From here on the connection ends within CLOSE_MS. */
  #closing(): void {
    if (this.#state >= CLOSING) return;
    this.#state = CLOSING;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tcp?.destroy(), CLOSE_MS);
  }

  #end(code: number, reason: string): void {
    if (this.#state === CLOSED) return;
    this.#state = CLOSED;
    clearTimeout(this.#timer);
    this.onclose?.({ code, reason });
  }

  send(text: string): void {
    this.#write(textFrame(text, random(4)));
  }

  close(code = CLOSE_NORMAL, reason = ""): void {
    if (this.#state === CONNECTING) {
      this.#abort();
      this.#tcp?.destroy();
      return this.#end(CLOSE_ABNORMAL, "it was given up");
    }
    if (this.#state !== OPEN) return;
    this.#close = { code: CLOSE_NO_STATUS, reason: "" };
    this.#write(closeFrame(code, reason, random(4)));
    this.#closing();
  }
}
