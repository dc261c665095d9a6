// What a connection that carries many messages has to offer. It moves texts and knows no message.

export interface LinkEvents {
  message(text: string): void;
  /** Once, and nothing after it; `error` undefined: it was closed in good order. */
  closed(error: Error | undefined): void;
}

export interface SessionLink {
  /** For messages to people. */
  readonly target: string;
  /** Whether the credentials may be shown on it. */
  readonly trusted: boolean;
  /** Whether the connection itself says who the client is. */
  readonly certified: boolean;
  /** Whether a message can still be sent. */
  readonly writable: boolean;
  /** Connect. Rejects when it cannot, or when the signal says so; then nothing is left behind. */
  open(events: LinkEvents, signal: AbortSignal): Promise<void>;
  /** Take one message. Throws ConnectionError with `sent: false` if it certainly did not go out. */
  send(text: string): void;
  /** Resolves when nothing is left running. Never rejects. */
  close(): Promise<void>;
}

/** Bytes that may wait to be written before sending is refused. */
export const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

const NOT_VOUCHED_FOR = /^(.*SELF_SIGNED_CERT.*|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF).*)$/;

/** What to do about a server whom nobody vouches for, by Node's code. Browsers keep their reasons. */
export function vouchingHint(code: unknown): string {
  return NOT_VOUCHED_FOR.test(String(code)) ? " (the option caFile says who vouches for a server)" : "";
}
