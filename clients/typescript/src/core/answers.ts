// Reading what a server answers (protocol.md 2.10 to 2.18). Facts keep the exact kinds of their
// numbers; everywhere else a float is a plain number.

import { parseInstant } from "./time.js";
import { compact, Shape } from "./shape.js";
import type {
  ActionEvent,
  AuthenticateResponse,
  BoundValue,
  DryRunPlan,
  ErrorPayload,
  Fact,
  FactPattern,
  FactValue,
  IntentResponse,
  InvokeResponse,
  MacroTool,
  Observability,
  Progress,
  ProofHints,
  Safety,
  Skill,
  StateDelta,
  SuggestedIntent,
  WhyNot,
  Window,
} from "./types.js";
import { isObject, plain, setMember, unwrapInt64, type Json, type JsonObject } from "./values.js";

const LEVELS = ["minimal", "condensed", "full"] as const;

// ---- facts

/** An argument as it stands on the wire: the int64 wrapper becomes an integer (D-11). `null` is read
 * where patterns are; below the top level it matches nothing (D-48). */
export function readFactValue(s: Shape, value: Json, path: string, wildcard = false): FactValue | null {
  if (value === null) {
    if (!wildcard) s.fault(path, "null is no value of a fact");
    return null;
  }
  if (Array.isArray(value)) return value.map((v, i) => readFactValue(s, v, `${path}/${i}`, wildcard)) as FactValue[];
  if (!isObject(value)) return value as FactValue;
  const object = value as JsonObject;
  if (Object.hasOwn(object, "_type")) {
    const exact = unwrapInt64(object);
    if (exact === undefined) s.fault(path, "is no int64 value");
    return exact ?? 0;
  }
  if (Object.hasOwn(object, "_var")) s.fault(path, "is a variable");
  const out: { [key: string]: FactValue } = {};
  for (const [name, inner] of Object.entries(object))
    setMember(out, name, readFactValue(s, inner, `${path}/${name}`, wildcard) as FactValue);
  return out;
}

function readWindow(s: Shape, of: JsonObject, path: string): Window | undefined {
  return s.optionalObject(of, "t", path) as Window | undefined;
}

export function readFact(s: Shape, of: JsonObject, path: string): Fact {
  const named = s.optionalObject(of, "named_args", path);
  const category = s.get(of, "category");
  return compact<Fact>({
    pred: s.text(of, "pred", path),
    args:
      named && s.get(of, "args") === undefined
        ? undefined
        : s.array(of, "args", path).map((v, i) => readFactValue(s, v, `${path}/args/${i}`) as FactValue),
    named_args: named && (readFactValue(s, named, `${path}/named_args`) as { [name: string]: FactValue }),
    t: readWindow(s, of, path),
    source: s.optionalObject(of, "source", path) as Fact["source"],
    category:
      category === undefined ? undefined : s.word(of, "category", path, ["session", "server", "derived"] as const),
  });
}

function readPattern(s: Shape, of: JsonObject, path: string): FactPattern {
  return compact<FactPattern>({
    pred: s.text(of, "pred", path),
    args: s.array(of, "args", path).map((v, i) => readFactValue(s, v, `${path}/args/${i}`, true)),
    t: readWindow(s, of, path),
  });
}

/** A delta; a bare array is read as what it asserts (D-47). */
function deltaAt(s: Shape, value: Json | undefined, path: string): StateDelta {
  if (value === undefined || value === null) return { assert: [], retract: [] };
  const of: JsonObject = Array.isArray(value) ? { assert: value } : s.asObject(value, path);
  return {
    assert: s.objects(of, "assert", path, (fact, at) => readFact(s, fact, at)),
    retract: s.objects(of, "retract", path, (pattern, at) => readPattern(s, pattern, at)),
  };
}

/** The delta in an error's details, if there is one that can be read. */
export function readDetailsDelta(details: JsonObject): StateDelta | undefined {
  const s = new Shape();
  const value = s.get(details, "state_delta");
  if (value === undefined) return undefined;
  const delta = deltaAt(s, value, "/details/state_delta");
  return s.faults.length ? undefined : delta;
}

// ---- intent_response

function readSafety(s: Shape, of: JsonObject, path: string): Safety {
  return {
    requires_user_confirmation: s.boolean(of, "requires_user_confirmation", path),
    side_effects: s.requiredStrings(of, "side_effects", path),
    reversible: s.optionalBoolean(of, "reversible", path, false),
    idempotent: s.optionalBoolean(of, "idempotent", path, false),
  };
}

function readValidity(s: Shape, of: JsonObject | undefined, path: string): MacroTool["validity"] {
  if (!of) return undefined;
  const instant = (name: string): string | undefined => {
    const text = s.optionalString(of, name, path);
    if (text !== undefined && parseInstant(text) === undefined) s.fault(`${path}/${name}`, "is no RFC 3339 date-time");
    return text;
  };
  return compact<NonNullable<MacroTool["validity"]>>({
    not_before: instant("not_before"),
    expires_at: instant("expires_at"),
  });
}

function readTool(s: Shape, of: JsonObject, path: string): MacroTool {
  const level = s.word(of, "disclosure_level", path, LEVELS);
  const full = level === "full";
  const safety = full ? s.object(of, "safety", path) : s.optionalObject(of, "safety", path);
  return compact<MacroTool>({
    macro_id: s.text(of, "macro_id", path),
    name: s.text(of, "name", path),
    disclosure_level: level,
    description: full ? s.string(of, "description", path) : s.optionalString(of, "description", path),
    input_schema: full ? s.object(of, "input_schema", path) : s.optionalObject(of, "input_schema", path),
    output_schema: s.optionalObject(of, "output_schema", path),
    context_injection: s.optionalObject(of, "context_injection", path) as MacroTool["context_injection"],
    safety: safety && readSafety(s, safety, `${path}/safety`),
    validity: readValidity(s, s.optionalObject(of, "validity", path), `${path}/validity`),
    metadata: s.optionalObject(of, "metadata", path),
  });
}

function readSkill(s: Shape, of: JsonObject, path: string): Skill {
  return {
    skill_id: s.text(of, "skill_id", path),
    name: s.string(of, "name", path),
    description: s.string(of, "description", path),
    content: s.string(of, "content", path),
    content_type: s.optionalString(of, "content_type", path) ?? "text/markdown",
    resources: s.objects(of, "resources", path, (r, at) =>
      compact<Skill["resources"][number]>({
        uri: s.text(r, "uri", at),
        type: s.optionalString(r, "type", at),
        description: s.optionalString(r, "description", at),
      }),
    ),
  };
}

/** Its facts keep the exact kinds of their numbers; what else it has is as the schema of the message says. */
function readProofs(s: Shape, of: JsonObject | undefined): ProofHints | undefined {
  if (!of) return undefined;
  const facts = (d: JsonObject, path: string): Fact[] =>
    s.objects(d, "supporting_facts", path, (f, at) => readFact(s, f, at));
  return {
    ...(plain(of) as unknown as ProofHints),
    derivations: s.objects(of, "derivations", "/proof_hints", (d, path) => ({
      ...(plain(d) as unknown as ProofHints["derivations"][number]),
      supporting_facts: facts(d, path),
      rule_chain: s.strings(d, "rule_chain", path),
    })),
  };
}

/** What the envelope says of tools that are absent; undefined where it says nothing. */
export function readWhyNot(extensions: JsonObject): WhyNot[] | undefined {
  const s = new Shape();
  if (s.get(extensions, "x-why-not") === undefined) return undefined;
  const facts = (of: JsonObject, name: string, path: string): Fact[] =>
    s.objects(of, name, path, (f, at) => readFact(s, f, at));
  const out = s.objects(extensions, "x-why-not", "/extensions", (of, path): WhyNot => {
    const search = s.optionalObject(of, "search", path) ?? {};
    return {
      tool: s.text(of, "tool", path),
      selected: s.boolean(of, "selected", path),
      reasons: s.objects(of, "reasons", path, (r, at) =>
        compact<WhyNot["reasons"][number]>({
          phase: s.string(r, "phase", at),
          message: s.string(r, "message", at),
          by: s.optionalString(r, "by", at),
          rule: readRule(s, s.optionalObject(r, "rule", at), `${at}/rule`),
          premise: s.optionalString(r, "premise", at),
          facts: facts(r, "facts", at),
        }),
      ),
      changes: s.objects(of, "changes", path, (c, at) => ({ add: facts(c, "add", at), remove: facts(c, "remove", at) })),
      search: compact<WhyNot["search"]>({
        complete: s.optionalBoolean(search, "complete", `${path}/search`, false),
        limit: s.optionalString(search, "limit", `${path}/search`),
      }),
    };
  });
  s.check("intent_response", true);
  return out;
}

function readRule(s: Shape, of: JsonObject | undefined, path: string): WhyNot["reasons"][number]["rule"] {
  return of && { name: s.string(of, "name", path), file: s.string(of, "file", path), line: s.integer(of, "line", path, 0) };
}

export function readIntentResponse(payload: JsonObject): IntentResponse {
  const s = new Shape();
  const root = plain(payload) as JsonObject;
  const used = s.text(root, "eval_time_used", "");
  if (used && parseInstant(used) === undefined) s.fault("/eval_time_used", "is no RFC 3339 date-time");
  if (s.get(root, "macro_tools") === undefined) s.fault("/macro_tools", "is missing");
  const tools = s.objects(root, "macro_tools", "", (of, path) => readTool(s, of, path));
  if (new Set(tools.map((tool) => tool.macro_id)).size !== tools.length)
    s.fault("/macro_tools", "has a macro_id twice");
  const response = compact<IntentResponse>({
    eval_time_used: used,
    eval_duration_ms: s.optionalNumber(root, "eval_duration_ms", ""),
    macro_tools: tools,
    proof_hints: readProofs(s, s.optionalObject(payload, "proof_hints", "")),
    required_skills: s.objects(root, "required_skills", "", (of, path) => readSkill(s, of, path)),
    diagnostics: s.optionalObject(root, "diagnostics", ""),
  });
  s.check("intent_response", true);
  return response;
}

// ---- invoke_response

function readEvent(s: Shape, of: JsonObject, path: string): ActionEvent {
  return compact<ActionEvent>({
    action: s.string(of, "action", path),
    status: s.word(of, "status", path, ["skipped", "failure", "success"] as const),
    duration_ms: s.optionalNumber(of, "duration_ms", path),
    detail: s.optionalString(of, "detail", path),
  });
}

function readObservability(s: Shape, of: JsonObject | undefined): Observability | undefined {
  return (
    of &&
    compact<Observability>({
      summary: s.string(of, "summary", "/observability"),
      events: s.objects(of, "events", "/observability", (e, path) => readEvent(s, e, path)),
      duration_ms: s.optionalNumber(of, "duration_ms", "/observability"),
      warnings: s.objects(of, "warnings", "/observability", (w, path) => ({
        code: s.string(w, "code", path),
        message: s.string(w, "message", path),
      })),
    })
  );
}

/** What rules filled in: of a plan, and of what the user is shown. Entries without a name are nothing. */
export function readBound(value: Json | undefined): BoundValue[] {
  const named = (one: Json): one is JsonObject => isObject(one) && typeof (one as JsonObject)["name"] === "string";
  return Array.isArray(value) ? (value.filter(named).map(plain) as unknown as BoundValue[]) : [];
}

/** The plan in the envelope that answers a dry run. */
export function readPlan(extensions: JsonObject): DryRunPlan {
  const s = new Shape();
  const at = "/extensions/x-dry-run";
  const of = s.object(extensions, "x-dry-run", "/extensions");
  const confirmation = s.object(of, "confirmation", at),
    estimate = s.object(of, "estimate", at);
  const show = s.optionalObject(confirmation, "show", `${at}/confirmation`);
  const plan: DryRunPlan = {
    macro_id: s.text(of, "macro_id", at),
    tool: s.text(of, "tool", at),
    args: plain(s.object(of, "args", at)) as JsonObject,
    bound: readBound(s.get(of, "bound")),
    steps: s.objects(of, "steps", at, (step, path) =>
      compact<DryRunPlan["steps"][number]>({
        id: s.text(step, "id", path),
        action: s.string(step, "action", path),
        runs: s.word(step, "runs", path, ["depends", "always", "never"] as const),
        depends_on: s.strings(step, "depends_on", path),
        side_effects: s.strings(step, "side_effects", path),
        reversible: s.optionalBoolean(step, "reversible", path, false),
        idempotent: s.optionalBoolean(step, "idempotent", path, false),
        on_failure: s.word(step, "on_failure", path, ["stop", "skip", "continue"] as const),
        timeout_ms: s.integer(step, "timeout_ms", path, 0),
        problem: s.optionalString(step, "problem", path),
      }),
    ),
    side_effects: s.requiredStrings(of, "side_effects", at),
    reversible: s.optionalBoolean(of, "reversible", at, false),
    idempotent: s.optionalBoolean(of, "idempotent", at, false),
    confirmation: compact<DryRunPlan["confirmation"]>({
      required: s.boolean(confirmation, "required", `${at}/confirmation`),
      given: s.optionalBoolean(confirmation, "given", `${at}/confirmation`, false),
      show: show && (plain(show) as JsonObject),
    }),
    estimate: compact<DryRunPlan["estimate"]>({
      at_most_ms: s.integer(estimate, "at_most_ms", `${at}/estimate`, 0),
      time_ms: s.optionalInteger(estimate, "time_ms", `${at}/estimate`, 0),
      tokens: s.optionalInteger(estimate, "tokens", `${at}/estimate`, 0),
    }),
  };
  s.check("answer to a dry run", true);
  return plan;
}

export function readInvokeResponse(payload: JsonObject): InvokeResponse {
  const s = new Shape();
  const next = s.optionalObject(payload, "next", "") ?? {};
  const response = compact<InvokeResponse>({
    result: plain(s.object(payload, "result", "")) as JsonObject,
    state_delta: deltaAt(s, s.get(payload, "state_delta"), "/state_delta"),
    observability: readObservability(s, s.optionalObject(payload, "observability", "")),
    next: {
      suggested_intents: s.objects(next, "suggested_intents", "/next", (of, path) =>
        compact<SuggestedIntent>({
          name: s.text(of, "name", path),
          params: s.optionalObject(of, "params", path) ?? {},
          description: s.optionalString(of, "description", path),
        }),
      ),
      continuation_facts: s.objects(next, "continuation_facts", "/next", (of, path) => readFact(s, of, path)),
    },
    effects_complete: s.optionalBoolean(payload, "effects_complete", "", true),
  });
  s.check("invoke_response", true);
  return response;
}

// ---- the rest

export function readError(payload: JsonObject): ErrorPayload {
  const s = new Shape();
  const root = plain(payload) as JsonObject;
  const retry = s.get(root, "retry_after_ms");
  const error = compact<ErrorPayload>({
    code: s.text(root, "code", ""),
    message: s.string(root, "message", ""),
    recoverable: s.boolean(root, "recoverable", ""),
    details: s.optionalObject(payload, "details", "") ?? {},
    retry_after_ms: retry === undefined ? undefined : s.integer(root, "retry_after_ms", "", 0),
  });
  s.check("error", true);
  return error;
}

/** Undefined where it is no progress that can be shown: progress is never needed (P-PROG-2). */
export function readProgress(payload: JsonObject): Progress | undefined {
  const s = new Shape();
  const progress = compact<Progress>({
    status: s.word(payload, "status", "", ["started", "running", "finalizing"] as const),
    detail: s.optionalString(payload, "detail", ""),
    percent: s.optionalNumber(payload, "percent", ""),
  });
  return s.faults.length ? undefined : progress;
}

export function readAuthenticated(payload: JsonObject): AuthenticateResponse {
  const s = new Shape();
  const out: AuthenticateResponse = {
    status: s.word(payload, "status", "", ["authenticated"]),
    identity: s.optionalString(payload, "identity", "") ?? null,
    permissions: s.strings(payload, "permissions", ""),
  };
  s.check("authenticate_response", true);
  return out;
}
