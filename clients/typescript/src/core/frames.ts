// WebSocket frames (RFC 6455) as the client's end sees them, without I/O: bytes in, events out.
//
// Strict where the RFC says "fail": masked frames from the server, reserved bits and opcodes, control
// frames that are long or in pieces, lengths not in their shortest form, close codes that do not
// exist. Messages in pieces are put together below a bound (D-59); text is UTF-8 or the connection
// fails with 1007. What is held back never exceeds the bound and one frame's head.

import { decodeUtf8 } from "./json.js";

export const CLOSE_NORMAL = 1000,
  CLOSE_GOING_AWAY = 1001,
  CLOSE_PROTOCOL = 1002,
  CLOSE_UNSUPPORTED = 1003;
export const CLOSE_NO_STATUS = 1005,
  CLOSE_ABNORMAL = 1006,
  CLOSE_BAD_TEXT = 1007,
  CLOSE_TOO_BIG = 1009;

const CONTINUATION = 0,
  TEXT = 1,
  BINARY = 2,
  CLOSE = 8,
  PING = 9,
  PONG = 10;
const MAX_PIECES = 65_536;

export type FrameEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary" }
  | { readonly kind: "ping"; readonly data: Uint8Array }
  | { readonly kind: "pong" }
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  /** The other side broke the protocol: close with this code, read no further. */
  | { readonly kind: "fail"; readonly code: number; readonly why: string };

class Failure {
  constructor(
    readonly code: number,
    readonly why: string,
  ) {}
}

interface Head {
  readonly fin: boolean;
  readonly opcode: number;
  readonly length: number;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const only = pieces[0];
  if (pieces.length === 1 && only) return only;
  const out = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** May a peer close with this code? (RFC 6455 7.4) */
function isCloseCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
}

/** Reads what a server sends. After `close` or `fail` it reads nothing more. */
export class FrameReader {
  #input: Uint8Array[] = [];
  #held = 0;
  #head: Head | undefined;
  #message: Uint8Array[] = [];
  #messageBytes = 0;
  #messageType = CONTINUATION; // CONTINUATION: no message is under way
  #ended = false;

  constructor(readonly maxBytes: number) {}

  read(bytes: Uint8Array): FrameEvent[] {
    const events: FrameEvent[] = [];
    if (this.#ended) return events;
    if (bytes.length) this.#input.push(bytes);
    this.#held += bytes.length;
    try {
      while (!this.#ended && (this.#head ??= this.#readHead())) {
        if (this.#held < this.#head.length) break;
        const head = this.#head;
        this.#head = undefined;
        this.#frame(head, this.#take(head.length), events);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#ended = true;
      events.push({ kind: "fail", code: error.code, why: error.why });
    }
    return events;
  }

  #peek(count: number): Uint8Array | undefined {
    if (this.#held < count) return undefined;
    const first = this.#input[0];
    if (first && first.length >= count) return first;
    this.#input = [joined(this.#input, this.#held)];
    return this.#input[0];
  }

  #take(count: number): Uint8Array {
    const out: Uint8Array[] = [];
    let missing = count,
      used = 0;
    while (missing > 0) {
      const piece = this.#input[used]!;
      if (piece.length > missing) {
        out.push(piece.subarray(0, missing));
        this.#input[used] = piece.subarray(missing);
        missing = 0;
      } else {
        out.push(piece);
        missing -= piece.length;
        used++;
      }
    }
    this.#input.splice(0, used);
    this.#held -= count;
    return joined(out, count);
  }

  #readHead(): Head | undefined {
    const bytes = this.#peek(2);
    if (!bytes) return undefined;
    const b0 = bytes[0]!,
      b1 = bytes[1]!,
      opcode = b0 & 15,
      short = b1 & 127;
    if (b0 & 0x70) throw new Failure(CLOSE_PROTOCOL, "reserved bits are set");
    if (b1 & 0x80) throw new Failure(CLOSE_PROTOCOL, "the server masked a frame");
    if (![CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG].includes(opcode))
      throw new Failure(CLOSE_PROTOCOL, `there is no opcode ${opcode}`);
    if (opcode >= CLOSE && (short > 125 || !(b0 & 0x80)))
      throw new Failure(CLOSE_PROTOCOL, "a control frame is too long, or in pieces");
    const size = short === 127 ? 10 : short === 126 ? 4 : 2;
    const all = this.#peek(size);
    if (!all) return undefined;
    const view = new DataView(all.buffer, all.byteOffset, size);
    const length = size === 10 ? view.getBigUint64(2) : size === 4 ? BigInt(view.getUint16(2)) : BigInt(short);
    if ((size === 4 && length < 126n) || (size === 10 && length < 65_536n))
      throw new Failure(CLOSE_PROTOCOL, "a length is not in its shortest form");
    if (length >= 2n ** 63n) throw new Failure(CLOSE_PROTOCOL, "a length has its highest bit set");
    if (opcode < CLOSE && BigInt(this.#messageBytes) + length > BigInt(this.maxBytes))
      throw new Failure(CLOSE_TOO_BIG, `a message is larger than ${this.maxBytes} bytes`);
    this.#take(size);
    return { fin: (b0 & 0x80) !== 0, opcode, length: Number(length) };
  }

  #frame(head: Head, data: Uint8Array, events: FrameEvent[]): void {
    switch (head.opcode) {
      case PING:
        events.push({ kind: "ping", data });
        return;
      case PONG:
        events.push({ kind: "pong" });
        return;
      case CLOSE:
        this.#close(data, events);
        return;
      default:
        this.#piece(head, data, events);
    }
  }

  #piece(head: Head, data: Uint8Array, events: FrameEvent[]): void {
    const goesOn = head.opcode === CONTINUATION;
    if (goesOn && this.#messageType === CONTINUATION) throw new Failure(CLOSE_PROTOCOL, "a continuation of nothing");
    if (!goesOn && this.#messageType !== CONTINUATION)
      throw new Failure(CLOSE_PROTOCOL, "a new message inside of another");
    if (!goesOn) this.#messageType = head.opcode;
    if (data.length) this.#message.push(data);
    this.#messageBytes += data.length;
    if (this.#message.length > MAX_PIECES)
      throw new Failure(CLOSE_TOO_BIG, `a message is in more than ${MAX_PIECES} pieces`);
    if (!head.fin) return;
    const whole = joined(this.#message, this.#messageBytes),
      type = this.#messageType;
    this.#message = [];
    this.#messageBytes = 0;
    this.#messageType = CONTINUATION;
    events.push(type === TEXT ? { kind: "text", text: utf8(whole) } : { kind: "binary" });
  }

  #close(data: Uint8Array, events: FrameEvent[]): void {
    if (data.length === 1) throw new Failure(CLOSE_PROTOCOL, "a close code of one byte");
    const code = data.length ? (data[0]! << 8) | data[1]! : CLOSE_NO_STATUS;
    if (data.length && !isCloseCode(code)) throw new Failure(CLOSE_PROTOCOL, `there is no close code ${code}`);
    const reason = utf8(data.subarray(2));
    this.#ended = true;
    events.push({ kind: "close", code, reason });
  }
}

function utf8(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new Failure(CLOSE_BAD_TEXT, "the text is not UTF-8");
  }
}

// ---- writing

/** One masked frame, as clients send them. `mask` is four fresh random bytes. */
function frame(opcode: number, data: Uint8Array, mask: Uint8Array): Uint8Array {
  const size = data.length < 126 ? 2 : data.length < 65_536 ? 4 : 10;
  const out = new Uint8Array(size + 4 + data.length);
  const view = new DataView(out.buffer);
  out[0] = 0x80 | opcode;
  out[1] = 0x80 | (size === 2 ? data.length : size === 4 ? 126 : 127);
  if (size === 4) view.setUint16(2, data.length);
  if (size === 10) view.setBigUint64(2, BigInt(data.length));
  out.set(mask, size);
  for (let i = 0; i < data.length; i++) out[size + 4 + i] = data[i]! ^ mask[i & 3]!;
  return out;
}

/** One message is one text frame (P-WS-3, P-WS-4). */
export function textFrame(text: string, mask: Uint8Array): Uint8Array {
  return frame(TEXT, new TextEncoder().encode(text), mask);
}

export function pingFrame(data: Uint8Array, mask: Uint8Array): Uint8Array {
  return frame(PING, data.subarray(0, 125), mask);
}

export function pongFrame(data: Uint8Array, mask: Uint8Array): Uint8Array {
  return frame(PONG, data.subarray(0, 125), mask);
}

export function closeFrame(code: number, reason: string, mask: Uint8Array): Uint8Array {
  if (code === CLOSE_NO_STATUS) return frame(CLOSE, new Uint8Array(0), mask);
  let text = new TextEncoder().encode(reason);
  while (text.length > 123) text = new TextEncoder().encode((reason = reason.slice(0, -1)));
  const data = new Uint8Array(2 + text.length);
  data[0] = code >> 8;
  data[1] = code & 255;
  data.set(text, 2);
  return frame(CLOSE, data, mask);
}
