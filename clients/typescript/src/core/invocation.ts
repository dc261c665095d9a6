// One invocation, from the wish to the outcome, as a machine without I/O: `start` and the `on…`
// functions take what happened and say what to do next. The client does it and reports back.
//
//   start ── window over, or shown in part? ──> evaluate ──> (same id offered) ──┐
//     └──────────────────────────────────> arguments fit? ──> ask the user? ──> send <┘
//   send ── answered ──> done
//        ── macro_not_found, macro_expired ──> evaluate, once ──> (same id offered) send
//        ── confirmation_required ──> ask the user (if not asked about just that) ──> sign ──> send with token
//        ── confirmation_invalid ──> ask the user again, once ──> send without token (a new challenge)
//        ── confirmation_required, with a question: it runs, and asks ──> ask the user ──> sign ──> send with token
//        ── rate_limited, server_not_ready: not taken up ──> wait as the server asks ──> send
//        ── macro_expired, because it is too early ──> wait as the server asks, once ──> send
//        ── any other error ──> fail
//
// Each `send` after the first follows an answer that says for certain that nothing ran, or that it waits
// for the user: then nothing but the answer is ever sent. A lost answer is no such answer, and never
// leads to another `send`. All sends bear one idempotency key.

import { ConsentError, ServerError, UsageError } from "../errors.js";
import { validate } from "../schema.js";
import { Attempts } from "./policy.js";
import { instantOfMs, parseInstant } from "./time.js";
import { readBound } from "./answers.js";
import type { BoundValue, ErrorPayload, MacroTool } from "./types.js";
import { canonical, isObject, member, plain, type JsonInput, type JsonObject } from "./values.js";

/** What the user is shown before consent (P-CONF-3). */
export interface ConsentRequest {
  readonly tool: MacroTool;
  readonly args: JsonObject;
  /** What rules of the server filled in beside `args`. Only the server tells of it: empty before. */
  readonly bound: readonly BoundValue[];
  /** What the tool does to the world; undefined where the server has not said. */
  readonly sideEffects: readonly string[] | undefined;
  readonly reversible: boolean;
  /** What the server wants to have shown, once it was asked. */
  readonly show: JsonObject | undefined;
  /** The tool runs already, and asks before it runs `action` with `inputs`. undefined: it is asked about the tool
   * as a whole. */
  readonly within: { readonly question: string; readonly action: string; readonly inputs: JsonObject } | undefined;
  /** Whether an earlier consent was not accepted (it may have come too late). */
  readonly again: boolean;
}

export type Step =
  /** Evaluate the intent again; `upgrade`: and ask for this tool in full. */
  | { readonly do: "evaluate"; readonly upgrade: boolean }
  | { readonly do: "ask"; readonly request: ConsentRequest }
  | { readonly do: "sign"; readonly challenge: string; readonly show: JsonObject | undefined }
  | { readonly do: "send"; readonly tool: MacroTool; readonly token: string | undefined }
  /** Nothing ran: send it again after so long. */
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "gone"; readonly because: ErrorPayload | undefined }
  | { readonly do: "fail"; readonly error: Error };

const GONE = ["macro_not_found", "macro_expired"];
const MAX_DEFAULTS_DEPTH = 64;
export const MAX_QUESTIONS = 256; // that a tool asks while it runs: as many as its menu may have steps
const MAX_EARLY_MS = 30_000; // a tool that becomes valid this soon is waited for

export class InvocationFlow {
  #tool: MacroTool;
  #token: string | undefined;
  #asked = false;
  #question: ConsentRequest | undefined; // the last one
  #evaluated = false; // because the tool was gone: once
  #upgraded = false;
  #rejected = false;
  #early = false; // it was waited for the tool's time to begin
  readonly #attempts: Attempts;
  #challenge: { text: string; show: JsonObject | undefined } | undefined;
  #because: ErrorPayload | undefined;
  #required: ErrorPayload | undefined;
  #sends = 0;
  #questions = 0; // that the tool has asked since it runs: what has run must not run again

  /** `canEvaluate`: the intent that offered the tool is known. A token may come with the call. Nobody
   * is asked about a dry run. */
  constructor(
    tool: MacroTool,
    readonly args: JsonObject,
    readonly canEvaluate: boolean,
    token?: string,
    maxWaitMs = 60_000,
    readonly dryRun = false,
  ) {
    this.#attempts = new Attempts(maxWaitMs);
    this.#tool = tool;
    this.#token = token;
    this.#asked = token !== undefined || dryRun;
  }

  get sends(): number {
    return this.#sends;
  }

  start(nowMs: number): Step {
    const wrong = this.#argumentFaults();
    if (wrong) return wrong;
    const end = this.#tool.validity?.expires_at;
    const over = end !== undefined && (parseInstant(end) ?? 0n) <= instantOfMs(nowMs); // P-TOOL-18
    const partly = this.#tool.disclosure_level !== "full"; // its schema and safety are not known yet
    return (over || partly) && this.canEvaluate ? { do: "evaluate", upgrade: partly } : this.#askOrSend();
  }

  /** P-INV-11 */
  #argumentFaults(): Step | undefined {
    const errors = this.#tool.input_schema ? validate(this.#tool.input_schema, this.args) : [];
    if (!errors.length) return undefined;
    const problems = errors.map((e) => ({ path: `/args${e.path}`, message: e.message, issue: e.keyword }));
    return { do: "fail", error: new UsageError(`these arguments do not fit ${this.#tool.name}`, problems) };
  }

  #askOrSend(): Step {
    const wrong = this.#argumentFaults();
    if (wrong) return wrong;
    if (this.#tool.safety?.requires_user_confirmation && !this.#asked) return this.#ask(undefined); // P-TOOL-15
    this.#sends++;
    return { do: "send", tool: this.#tool, token: this.#token };
  }

  #ask(details: JsonObject | undefined): Step {
    this.#question = this.#questionOf(details);
    return { do: "ask", request: this.#question };
  }

  /** What the user is to be shown: as the server says, and where it says nothing, as the tool does. */
  #questionOf(details: JsonObject | undefined): ConsentRequest {
    const show = object(details?.["show"]);
    const told = details && details["reversible"] !== undefined ? details["reversible"] === true : undefined;
    return {
      tool: this.#tool,
      args: object(show?.["args"]) ?? this.args,
      bound: readBound(show?.["bound"]),
      sideEffects: strings(details?.["side_effects"]) ?? this.#tool.safety?.side_effects,
      reversible: told ?? this.#tool.safety?.reversible ?? false,
      show,
      within: withinOf(show),
      again: this.#rejected,
    };
  }

  /** The tools that a fresh evaluation offers: the same id is the same tool (D-38). */
  onEvaluated(tools: readonly MacroTool[]): Step {
    const same = tools.find((tool) => tool.macro_id === this.#tool.macro_id);
    if (!same) return { do: "gone", because: this.#because };
    if (this.#tool.disclosure_level !== "full") this.#upgraded = true;
    this.#tool = same;
    return this.#askOrSend();
  }

  onConsent(agreed: boolean): Step {
    if (!agreed && this.#question?.within)
      return this.#fail("declined", `the user declined what ${this.#tool.name} asks; what it had done before is done`);
    if (!agreed) return this.#fail("declined", `the user declined ${this.#tool.name}`);
    this.#asked = true;
    const challenge = this.#challenge;
    return challenge ? { do: "sign", challenge: challenge.text, show: challenge.show } : this.#askOrSend();
  }

  /** `token` answers the challenge; undefined: there is nothing to answer it with. */
  onSigned(token: string | undefined): Step {
    if (token === undefined)
      return this.#fail(
        "no_key",
        `the server wants the consent to ${this.#tool.name} proved, and there is no confirmationKey and nobody to approve it`,
        this.#required && new ServerError(this.#required, this.#sends),
      );
    this.#token = token;
    this.#sends++;
    return { do: "send", tool: this.#tool, token };
  }

  /** The wait is over. */
  onWaited(): Step {
    this.#sends++;
    return { do: "send", tool: this.#tool, token: this.#token };
  }

  /** How long to wait before it is sent again, if that is what the error asks for. */
  #waitAfter(error: ErrorPayload): number | undefined {
    if (error.details["reason"] !== "not_yet_valid") {
      this.#attempts.begin();
      return this.#attempts.gapAfter(error);
    }
    const ms = error.retry_after_ms;
    if (ms === undefined || ms === null || ms > MAX_EARLY_MS || this.#early) return undefined;
    this.#early = true; // once: if it is too early then, the clocks do not agree
    return ms;
  }

  onError(error: ErrorPayload): Step {
    const ms = this.#waitAfter(error);
    if (ms !== undefined) return { do: "wait", ms };
    if (asksWithin(error) && !this.dryRun && this.#questions < MAX_QUESTIONS) {
      this.#questions++;
      return this.#onChallenge(error);
    }
    if (this.#questions > 0) return { do: "fail", error: new ServerError(error, this.#sends) };
    if (GONE.includes(error.code) && this.canEvaluate) {
      // P-CACHE-6
      this.#because = error;
      if (this.#evaluated) return { do: "gone", because: error };
      this.#evaluated = true;
      return { do: "evaluate", upgrade: this.#tool.disclosure_level !== "full" || this.#upgraded };
    }
    if (this.dryRun) return { do: "fail", error: new ServerError(error, this.#sends) };
    if (error.code === "confirmation_required" && !this.#challenge) return this.#onChallenge(error);
    if (error.code === "confirmation_invalid" && !this.#rejected) return this.#onRejected();
    if (error.code.startsWith("confirmation_"))
      return this.#fail(
        "rejected",
        `the server does not accept the consent to ${this.#tool.name}`,
        new ServerError(error, this.#sends),
      );
    return { do: "fail", error: new ServerError(error, this.#sends) };
  }

  #onChallenge(error: ErrorPayload): Step {
    const challenge = member(error.details, "challenge");
    const details = plain(error.details) as JsonObject;
    if (typeof challenge !== "string" || !challenge)
      return this.#fail(
        "no_key",
        `the server wants the user's consent to ${this.#tool.name} and gives no challenge to answer`,
        new ServerError(error, this.#sends),
      );
    const id = details["macro_id"];
    if (id !== undefined && id !== this.#tool.macro_id)
      return this.#fail(
        "rejected",
        `the server asks for consent to another tool than ${this.#tool.name}`,
        new ServerError(error, this.#sends),
      );
    this.#required = error;
    this.#challenge = { text: challenge, show: object(details["show"]) };
    if (!this.#asked || !this.#question || !covers(this.#question, this.#questionOf(details))) return this.#ask(details);
    return { do: "sign", challenge, show: this.#challenge.show };
  }

  /** Ask the user again; the next send goes without a token and fetches a new challenge. */
  #onRejected(): Step {
    this.#rejected = true;
    this.#asked = false;
    this.#token = undefined;
    this.#challenge = undefined;
    return this.#ask(undefined);
  }

  #fail(reason: ConsentError["reason"], message: string, cause?: unknown): Step {
    return { do: "fail", error: new ConsentError(message, { reason, challenge: this.#challenge?.text, cause }) };
  }
}

/** Does the tool run, and ask before one of its actions? */
export function asksWithin(error: ErrorPayload): boolean {
  return error.code === "confirmation_required" && withinOf(object(error.details["show"])) !== undefined;
}

function withinOf(show: JsonObject | undefined): ConsentRequest["within"] {
  const question = show?.["question"];
  if (typeof question !== "string") return undefined;
  const action = show?.["action"];
  return { question, action: typeof action === "string" ? action : "", inputs: object(show?.["inputs"]) ?? {} };
}

/** Did the user agree to what the server asks for? Defaults of the tool's schema may join the
 * arguments, which were open to see; what its rules filled in was not. */
function covers(agreed: ConsentRequest, told: ConsentRequest): boolean {
  const same = (a: unknown, b: unknown): boolean => canonical(a as JsonInput) === canonical(b as JsonInput);
  const words: readonly (readonly [string, string | undefined])[] = [
    ["tool", agreed.tool.name],
    ["description", agreed.tool.description],
  ];
  return (
    !told.within && // what is asked in the middle was not known before
    words.every(([name, known]) => [undefined, known].includes(told.show?.[name] as string | undefined)) &&
    (told.sideEffects ?? []).every((effect) => effect === "none" || agreed.sideEffects?.includes(effect)) &&
    (told.reversible || !agreed.reversible) &&
    same(agreed.bound, told.bound) &&
    [agreed.args, withDefaults(agreed.tool.input_schema, agreed.args)].some((args) => same(plain(told.args), plain(args)))
  );
}

/** The arguments with what the schema's properties have for missing ones, at the top and in objects that are there. */
function withDefaults(schema: unknown, args: JsonObject, depth = 0): JsonObject {
  const properties = object(object(schema)?.["properties"]);
  if (!properties || depth > MAX_DEFAULTS_DEPTH) return args;
  const full: Record<string, JsonInput> = Object.assign(Object.create(null), args);
  for (const [name, property] of Object.entries(properties)) {
    const value = object(property)?.["default"];
    if (!Object.hasOwn(args, name) && value !== undefined) full[name] = value;
    if (isObject(full[name])) full[name] = withDefaults(property, full[name] as JsonObject, depth + 1);
  }
  return full as JsonObject;
}

function strings(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((v): v is string => typeof v === "string") : undefined;
}

function object(value: unknown): JsonObject | undefined {
  return isObject(value) ? (value as JsonObject) : undefined;
}
