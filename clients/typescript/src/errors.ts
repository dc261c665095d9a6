// What can go wrong, and what the caller may do about it. Every error of this package is a
// MangleCPError; what was aborted by the caller's own signal throws that signal's reason.

import { readDetailsDelta } from "./core/answers.js";
import type { ErrorPayload, Manifest, MacroTool, StateDelta } from "./core/types.js";
import type { RequestOptions } from "./options.js";
import type { Evaluation, Outcome } from "./results.js";

/** One fault: where (a JSON Pointer such as `/facts/3/args/0` or `/args/label`), and what is wrong. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  /** For programs. Of facts the word of the protocol (`arity_mismatch`), of arguments the keyword of
   * JSON Schema (`required`). */
  readonly issue?: string;
}

export class MangleCPError extends Error {
  override readonly name: string = "MangleCPError";
}

/** What was asked cannot be right: nothing was sent. All problems are in `problems`. */
export class UsageError extends MangleCPError {
  override readonly name: string = "UsageError";
  constructor(
    message: string,
    readonly problems: readonly Problem[] = [],
  ) {
    super(
      problems.length
        ? `${message}: ${problems.map((p) => (p.path ? `${p.path}: ` : "") + p.message).join("; ")}`
        : message,
    );
  }
}

/** The connection failed, or the other side answered with what is no message at all. */
export class ConnectionError extends MangleCPError {
  override readonly name: string = "ConnectionError";
  /** Whether the request may have reached the server. */
  readonly sent: boolean;
  constructor(message: string, options: { sent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.sent = options.sent;
  }
}

/** Nothing came in time. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = "TimeoutError";
}

/** The host does not speak MangleCP (P-DISC-4). */
export class NotMangleCPError extends ConnectionError {
  override readonly name = "NotMangleCPError";
}

/** The server points elsewhere. Redirects are never followed: connect to that address, if it is trusted. */
export class RedirectError extends ConnectionError {
  override readonly name = "RedirectError";
  constructor(
    from: string,
    readonly location: string | undefined,
  ) {
    super(
      `${from} redirects to ${location ?? "another address"}; redirects are not followed: give that address yourself if you trust it`,
      { sent: false },
    );
  }
}

/** The server broke the protocol. */
export class ProtocolFaultError extends ConnectionError {
  override readonly name: string = "ProtocolFaultError";
}

/** The server is booting or draining and did not become ready in time. */
export class NotReadyError extends MangleCPError {
  override readonly name = "NotReadyError";
  constructor(
    message: string,
    readonly status: Manifest["status"],
  ) {
    super(message);
  }
}

/** The server answered with an error. `code` is what programs read; `message` is for people. */
export class ServerError extends MangleCPError {
  override readonly name: string = "ServerError";
  readonly code: string;
  readonly recoverable: boolean;
  readonly details: ErrorPayload["details"];
  readonly retryAfterMs: number | undefined;
  /** How often the request was sent; 0: this client knew without asking. */
  readonly attempts: number;
  /** What had been done when it failed, if the server says so. It is applied like any other delta. */
  readonly stateDelta: StateDelta | undefined;
  constructor(
    readonly payload: ErrorPayload,
    attempts = 1,
  ) {
    super(`${payload.code}: ${payload.message}`);
    this.code = payload.code;
    this.recoverable = payload.recoverable;
    this.details = payload.details;
    this.retryAfterMs = payload.retry_after_ms ?? undefined;
    this.attempts = attempts;
    this.stateDelta = readDetailsDelta(payload.details);
  }
}

/** Credentials are missing, wrong or do not suffice. */
export class AuthError extends ServerError {
  override readonly name = "AuthError";
}

/** The request was cancelled; what had happened by then is in `details.state_delta`. */
export class CancelledError extends ServerError {
  override readonly name = "CancelledError";
}

/** The tool needs the user's consent, and there is none. Nothing ran; but if the tool asked while it runs, what it
 * had done before is done. */
export class ConsentError extends MangleCPError {
  override readonly name = "ConsentError";
  /** `declined`: the user said no. `nobody`: there is no `confirm` to ask. `no_key`: the user agreed,
   * but nothing can answer the server's challenge. `rejected`: the server did not take the answer. */
  readonly reason: "declined" | "nobody" | "no_key" | "rejected";
  /** What the server wants to have answered. */
  readonly challenge: string | undefined;
  constructor(
    message: string,
    options: { reason: ConsentError["reason"]; challenge?: string | undefined; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = options.reason;
    this.challenge = options.challenge;
  }
}

/** The tool is gone (macro_not_found, macro_expired), and evaluating again does not offer it. The
 * fresh evaluation says what is offered now. */
export class ToolGoneError extends MangleCPError {
  override readonly name = "ToolGoneError";
  constructor(
    readonly tool: MacroTool,
    readonly evaluation: Evaluation,
    cause?: unknown,
  ) {
    super(`${tool.name} (${tool.macro_id}) is no longer offered`, cause === undefined ? undefined : { cause });
  }
}

/** Nobody here knows whether the tool ran: the answer to an invocation was lost or unreadable, or
 * the server itself does not know. Nothing is ever sent again without being told to. */
export class IndeterminateError extends MangleCPError {
  override readonly name = "IndeterminateError";
  readonly idempotencyKey: string;
  /** Ask again with the same key: a server that keeps keys gives the outcome if the tool ran, waits
   * if it is running, and runs it if it never began. Undefined where asking again cannot help. */
  readonly resume: ((options?: RequestOptions) => Promise<Outcome>) | undefined;
  constructor(
    message: string,
    options: { idempotencyKey: string; resume?: IndeterminateError["resume"]; cause: unknown },
  ) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
    this.resume = options.resume;
  }
}
