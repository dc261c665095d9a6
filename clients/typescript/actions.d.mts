// Types of manglecp/actions. See actions.mjs.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Schema = { [keyword: string]: unknown };

/** A fact as it travels; exactly one of args and named_args. In a retraction null stands for any value. */
export interface Fact {
  pred: string;
  args?: Json[];
  named_args?: { [name: string]: Json };
  category?: "server" | "session" | "derived";
  [member: string]: unknown;
}

/** What one slot of the working state holds. */
export interface Artifact {
  type: string;
  content: Json | undefined;
  provenance?: string;
}

/** The working state of a run, slots 0 to 7. What an action changes counts when it returns, not when it fails. */
export interface State {
  get(slot: number): Artifact | undefined;
  /** Throws RangeError or TypeError for what no slot can hold. */
  set(slot: number, artifact: Artifact): void;
  delete(slot: number): void;
  keys(): number[];
}

/** The running call. */
export interface Call {
  /** Aborted when the result is not wanted any more: by a client, or because its time is up. */
  readonly signal: AbortSignal;
  /** The id of the call, "" if it has none: for logs. */
  readonly requestId: string;
  readonly state: State;
  /** 0 to 100, undefined if that is not known, and up to 200 bytes of text. Throws Cancelled if nobody waits. */
  progress(percent?: number, detail?: string): void;
  /** Until its time is up; undefined: it has all the time there is. */
  remainingMs(): number | undefined;
  /** Tell the server, and by it the client, which facts hold now and which do not any more. */
  changeFacts(facts: { assert?: Fact[]; retract?: Fact[]; category?: "server" | "session" | "derived" }): void;
}

export interface About {
  /** What a client sees in the course of a run; the function's name if none is given. */
  name?: string;
  /** Its name in requests and rules; AID.<FILE>.<NAME>.v<version> if none is given. */
  aid?: string;
  version?: number;
  description?: string;
  /** "none", or what it does to the world: filesystem_read, filesystem_write, network_io, process_spawn, ... */
  sideEffects: string | string[];
  /** JSON Schema of the inputs. The keywords that say what a value is are checked before the function runs. */
  input?: Schema;
  /** JSON Schema of the output, an object. */
  output?: Schema;
  tags?: string[];
  /** Same inputs and state, same result. */
  deterministic?: boolean;
  /** Doing it twice does no more than doing it once. */
  idempotent?: boolean;
  /** What it does can be undone. */
  reversible?: boolean;
  /** Its limit, if it is shorter than the server's. */
  timeoutMs?: number;
  /** 0 to 3: at least this risk. */
  minTier?: number;
}

/** Make a function an action; it is returned as it was. Throws TypeError for what cannot be one. */
export function action<F extends (inputs: any, call: Call) => unknown>(about: About, run: F): F;

/** Do what the command line says (--list, --run AID, --serve), and end the program. */
export function serve(words?: string[]): Promise<never>;

/** The action did not work. The text goes to the log; a client is not told it. */
export class ActionError extends Error {
  constructor(text: string, options?: { status?: "TOOL_ERROR" | "INVALID_PICK" | "BREAKER_TRIP" });
  readonly status: string;
}

/** The result is not wanted any more. */
export class Cancelled extends Error {
  constructor();
}
