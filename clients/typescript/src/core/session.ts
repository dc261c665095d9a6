// A connection that carries many messages (stdio, WebSocket), without any I/O: texts in, events out.
//
//   - the first message is a manifest, and nothing may be asked before it (P-WS-1, P-WS-2)
//   - a later manifest replaces it (P-MAN-31)
//   - ids are a rising counter, never used twice, not even after a reconnection (P-ENV-4, P-ENV-5)
//   - each request gets one terminal message; what comes after it, or for nobody, is ignored
//   - what is no message ends the connection: nobody could say whom it was for

import { ProtocolFaultError } from "../errors.js";
import { readProgress } from "./answers.js";
import { ANSWER_OF, decode, encode, type Message, type RequestType } from "./envelope.js";
import { readManifest } from "./manifest.js";
import type { Manifest, Progress } from "./types.js";
import type { JsonObjectInput } from "./values.js";

/** Errors without an id that are told before anything is done: the request they mean did not run. */
const REFUSED_UNREAD = [
  "malformed_message",
  "message_too_large",
  "auth_required",
  "unsupported_version",
  "invalid_type",
];

export type SessionEvent =
  | { readonly kind: "manifest"; readonly manifest: Manifest }
  | { readonly kind: "answer"; readonly id: string; readonly message: Message }
  | { readonly kind: "progress"; readonly id: string; readonly progress: Progress }
  /** Told to nobody in particular: for the log. */
  | { readonly kind: "notice"; readonly text: string }
  /** The connection is of no use any more. */
  | { readonly kind: "broken"; readonly error: ProtocolFaultError };

/** Ids of one client, over all its connections. */
export class Ids {
  #last = 0;

  next(): string {
    return `c-${++this.#last}`;
  }
}

export class Session {
  #manifest: Manifest | undefined;
  readonly #open = new Map<string, RequestType>();

  constructor(readonly ids: Ids) {}

  get manifest(): Manifest | undefined {
    return this.#manifest;
  }

  get openRequests(): number {
    return this.#open.size;
  }

  /** Write a request; from here on its answer is awaited. */
  request(type: RequestType, payload: JsonObjectInput, extensions?: JsonObjectInput): { id: string; text: string } {
    const id = this.ids.next();
    const text = encode(type, id, payload, extensions);
    this.#open.set(id, type);
    return { id, text };
  }

  /** Write the wish to abandon a request; its terminal message still comes (D-24). */
  cancel(id: string): string {
    return encode("cancel", null, { request_id: id });
  }

  /** Nobody waits for this one any more. */
  forget(id: string): void {
    this.#open.delete(id);
  }

  receive(text: string): SessionEvent {
    try {
      return this.#read(decode(text, this.#open.size > 0));
    } catch (error) {
      if (error instanceof ProtocolFaultError) return { kind: "broken", error };
      throw error;
    }
  }

  #broken(what: string): SessionEvent {
    return {
      kind: "broken",
      error: new ProtocolFaultError(`the server broke the protocol: ${what}`, { sent: this.#open.size > 0 }),
    };
  }

  #read(message: Message): SessionEvent {
    const { type, id } = message;
    if (type === "manifest") {
      if (id !== null) return this.#broken("a manifest with an id");
      this.#manifest = readManifest(message.payload);
      return { kind: "manifest", manifest: this.#manifest };
    }
    if (type === "error" && id === null) return this.#errorForNobody(message);
    if (!this.#manifest) return this.#broken(`${type} before the manifest`);
    const asked = id === null ? undefined : this.#open.get(id);
    if (id === null || asked === undefined)
      return { kind: "notice", text: `a message of type ${type.slice(0, 40)} for no open request was ignored` };
    if (type === "progress") {
      const progress = asked === "invoke_request" ? readProgress(message.payload) : undefined;
      return progress
        ? { kind: "progress", id, progress }
        : { kind: "notice", text: "progress that cannot be read was ignored" };
    }
    if (type !== "error" && type !== ANSWER_OF[asked])
      return this.#broken(`${type.slice(0, 40)} in answer to ${asked}`);
    this.#open.delete(id);
    return { kind: "answer", id, message };
  }

  /** It means the only open request if there is one only, and says that it was refused unread. */
  #errorForNobody(message: Message): SessionEvent {
    const code = String(message.payload["code"]).slice(0, 60);
    const ids = [...this.#open.keys()];
    const only = ids[0];
    if (ids.length === 1 && only !== undefined && REFUSED_UNREAD.includes(code)) {
      this.#open.delete(only);
      return { kind: "answer", id: only, message };
    }
    return { kind: "notice", text: `the server reports ${code}, and not for which request` };
  }
}
