// What a client looks at before it sends (P-SCHEMA-9, P-INV-11, P-MAN-26): facts, parameters and
// limits against the manifest. Every fault is reported, with where and what to do.

import type { Problem } from "../errors.js";
import { hasLoneSurrogate, JsonError, pointerPart, writeJson } from "./json.js";
import { predicateSchema } from "./manifest.js";
import { readTime, type ReadTime } from "./time.js";
import type { Constraints, Fact, IntentEntry, Manifest, PredicateSchema } from "./types.js";
import {
  Float,
  fitsInt64,
  integer,
  isObject,
  kindOf,
  setMember,
  unwrapInt64,
  type JsonInput,
  type JsonObjectInput,
} from "./values.js";

const PREDICATE = /^[a-z][a-z0-9_]{0,127}$/;
const RESERVED = "_manglecp_";
const SOURCE_TYPES = ["server", "scan", "external", "client", "derived"];
const CATEGORIES = ["server", "session", "derived"];
const FACT_MEMBERS = ["pred", "args", "named_args", "t", "source", "category"];
const MAX_VALUE_DEPTH = 56; // what is left of 64 below payload, facts, the fact and its args
export const UPGRADE = "disclosure_upgrade";

class Problems {
  readonly found: Problem[] = [];
  constructor(readonly at: string) {}

  add(issue: string, message: string, path = ""): void {
    this.found.push({ path: this.at + path, message, issue });
  }
}

// ---- values

/** Is it a ground value of a fact, all the way down? */
function checkValue(p: Problems, value: unknown, path: string, depth = 0): void {
  if (depth > MAX_VALUE_DEPTH) return p.add("invalid_fact_shape", "is nested too deep, or contains itself", path);
  switch (typeof value) {
    case "boolean":
      return;
    case "string":
      if (hasLoneSurrogate(value)) p.add("invalid_fact_shape", "has half a surrogate pair", path);
      return;
    case "bigint":
      if (!fitsInt64(value)) p.add("integer_out_of_range", `${value} is beyond 64 bits`, path);
      return;
    case "number":
      if (!Number.isFinite(value)) p.add("number_out_of_range", `${value} is no number on the wire`, path);
      else if (Number.isInteger(value) && !Number.isSafeInteger(value))
        p.add(
          "integer_out_of_range",
          `${value} may have lost digits: write a bigint for an integer, float(…) for a float`,
          path,
        );
      return;
    case "object":
      break;
    default:
      return p.add("invalid_fact_shape", `a ${typeof value} is no value of a fact`, path);
  }
  if (value === null)
    return p.add("non_ground_argument", "null stands for anything, and only in what is retracted", path);
  if (value instanceof Float) return;
  if (Array.isArray(value)) return value.forEach((v, i) => checkValue(p, v, `${path}/${i}`, depth + 1));
  const object = value as { [key: string]: unknown };
  if (Object.hasOwn(object, "_var")) return p.add("non_ground_argument", "a variable is no value of a fact", path);
  if (Object.hasOwn(object, "_type") && unwrapInt64(object) === undefined)
    return p.add("bad_typed_value", "members called _type are reserved; write a bigint for a large integer", path);
  if (Object.hasOwn(object, "_type")) return;
  for (const [name, inner] of Object.entries(object)) {
    if (inner === undefined) continue;
    checkValue(p, inner, `${path}/${pointerPart(name)}`, depth + 1);
  }
}

/** A value as it is written: integers beyond 2^53 - 1 in their wrapper (P-FACT-19). */
export function wireValue(value: JsonInput): JsonInput {
  if (typeof value === "bigint") {
    const small = integer(value);
    return typeof small === "number" ? small : { _type: "int64", value: String(small) };
  }
  if (Array.isArray(value)) return value.map(wireValue);
  if (!isObject(value)) return value;
  const exact = unwrapInt64(value);
  if (exact !== undefined) return wireValue(exact);
  const out: { [key: string]: JsonInput } = {};
  for (const [name, inner] of Object.entries(value))
    if (inner !== undefined) setMember(out, name, wireValue(inner as JsonInput));
  return out;
}

function typeOf(value: unknown): string {
  if (isObject(value) && unwrapInt64(value) !== undefined) return "number";
  const kind = kindOf(value);
  return kind === "array" ? "list" : kind === "object" ? "map" : kind;
}

function checkType(p: Problems, schema: PredicateSchema, at: number, value: unknown, path: string): void {
  const expected = schema.arg_types?.[at] ?? "any";
  if (expected === "any" || value === null || value === undefined || typeOf(value) === expected) return;
  const name = schema.arg_names?.[at];
  p.add(
    "type_mismatch",
    `argument ${at}${name ? ` (${name})` : ""} of ${schema.predicate} is a ${expected}, not a ${typeOf(value)}`,
    path,
  );
}

// ---- time

function checkEnd(p: Problems, time: ReadTime, path: string, openAllowed: boolean): void {
  if (time.kind === "wrong") p.add(time.issue, time.message, path);
  if (time.kind === "open" && !openAllowed) p.add("invalid_temporal_annotation", "a point has no open end", path);
}

function checkWindow(p: Problems, t: unknown, manifest: Manifest): void {
  if (!isObject(t)) return p.add("invalid_temporal_annotation", "t is an object with start and end, or with at", "/t");
  const members = Object.keys(t).filter((name) => t[name] !== undefined);
  const formats = manifest.facts_profile.time_formats;
  if (members.length === 1 && members[0] === "at")
    return checkEnd(p, readTime(t["at"] as JsonInput, formats), "/t/at", false);
  if (members.length !== 2 || !members.includes("start") || !members.includes("end"))
    return p.add("invalid_temporal_annotation", "t has start and end, or at, and nothing else", "/t");
  const start = readTime(t["start"] as JsonInput, formats),
    end = readTime(t["end"] as JsonInput, formats);
  checkEnd(p, start, "/t/start", true);
  checkEnd(p, end, "/t/end", true);
  if (start.kind === "instant" && end.kind === "instant" && start.ns > end.ns)
    p.add("inverted_interval", "it ends before it begins", "/t");
}

// ---- facts

function checkNamed(p: Problems, fact: Fact, schema: PredicateSchema | undefined, manifest: Manifest): void {
  const named = fact.named_args;
  if (!isObject(named)) return p.add("invalid_fact_shape", "named_args is an object", "/named_args");
  for (const [name, value] of Object.entries(named)) checkValue(p, value, `/named_args/${pointerPart(name)}`);
  if (!manifest.capabilities.named_args)
    return p.add("named_args_unsupported", "the server takes no named_args; write args", "/named_args");
  const names = schema?.arg_names;
  if (!names) return p.add("named_args_unsupported", `${fact.pred} declares no names; write args`, "/named_args");
  for (const name of Object.keys(named))
    if (!names.includes(name))
      p.add(
        "unknown_named_arg",
        `${fact.pred} has no argument of that name; it has ${names.join(", ") || "none"}`,
        `/named_args/${pointerPart(name)}`,
      );
  names.forEach((name, at) => {
    if (!Object.hasOwn(named, name)) p.add("missing_named_arg", `${name} is missing`, "/named_args");
    else checkType(p, schema, at, named[name], `/named_args/${pointerPart(name)}`);
  });
}

function checkPositional(p: Problems, fact: Fact, schema: PredicateSchema | undefined): void {
  const args = fact.args;
  if (!Array.isArray(args)) return p.add("invalid_fact_shape", "args is an array", "/args");
  args.forEach((value, i) => checkValue(p, value, `/args/${i}`));
  if (!schema) return;
  if (args.length !== schema.arity)
    return p.add(
      "arity_mismatch",
      `${fact.pred} has ${schema.arity} arguments${schema.arg_names ? ` (${schema.arg_names.join(", ")})` : ""}, not ${args.length}`,
      "/args",
    );
  args.forEach((value, i) => checkType(p, schema, i, value, `/args/${i}`));
}

function checkSource(p: Problems, source: unknown, formats: readonly string[]): void {
  if (source === undefined || source === null) return;
  if (!isObject(source)) return p.add("invalid_source", "source is an object", "/source");
  const type = source["source_type"];
  if (typeof type !== "string" || !(SOURCE_TYPES.includes(type) || type.startsWith("x-")))
    p.add(
      "invalid_source",
      `source_type is one of ${SOURCE_TYPES.join(", ")}, or begins with x-`,
      "/source/source_type",
    );
  if (source["source_id"] !== undefined && source["source_id"] !== null && typeof source["source_id"] !== "string")
    p.add("invalid_source", "source_id is a text", "/source/source_id");
  if (source["signature"] !== undefined && source["signature"] !== null && typeof source["signature"] !== "string")
    p.add("invalid_source", "signature is a text", "/source/signature");
  if (source["asserted_at"] === undefined || source["asserted_at"] === null) return;
  const time = readTime(source["asserted_at"] as JsonInput, formats);
  if (time.kind === "wrong" || time.kind === "open")
    p.add("invalid_source", time.kind === "open" ? "asserted_at has no open end" : time.message, "/source/asserted_at");
}

/** The schema that a predicate is held against; "unlisted" where any shape will do; or what is wrong
 * with it (D-16). */
function findSchema(fact: Fact, manifest: Manifest): PredicateSchema | "unlisted" | { issue: string; message: string } {
  if (fact.pred === UPGRADE) return { predicate: UPGRADE, arity: 1, arg_types: ["string"] };
  const schema = predicateSchema(manifest, fact.pred);
  if (schema?.direction === "output")
    return { issue: "direction_violation", message: `${fact.pred} only ever comes from the server` };
  if (schema) return schema;
  if (!manifest.facts_profile.predicates) return "unlisted";
  const listed = manifest.intents.some(
    (intent) => intent.required_facts?.includes(fact.pred) || intent.optional_facts?.includes(fact.pred),
  );
  return listed ? "unlisted" : { issue: "unknown_predicate", message: `the server takes no facts called ${fact.pred}` };
}

/** What is wrong with one fact, all of it. `at` says which it is: a JSON Pointer. */
export function checkFact(fact: Fact, manifest: Manifest, at: string): Problem[] {
  const p = new Problems(at);
  if (!isObject(fact)) {
    p.add("invalid_fact_shape", "a fact is an object with pred and args");
    return p.found;
  }
  const pred: unknown = fact.pred;
  if (typeof pred !== "string" || !PREDICATE.test(pred)) {
    if (typeof pred === "string" && pred.startsWith(RESERVED))
      p.add("reserved_predicate", `names that begin with ${RESERVED} are the server's own`, "/pred");
    else
      p.add(
        "invalid_predicate_name",
        "a predicate begins with a-z, goes on with a-z, 0-9 and _, and has 128 characters at most",
        "/pred",
      );
    return p.found;
  }
  for (const name of Object.keys(fact))
    if (!FACT_MEMBERS.includes(name))
      p.add(
        "invalid_fact_shape",
        `a fact has no member ${name}; it has ${FACT_MEMBERS.join(", ")}`,
        `/${pointerPart(name)}`,
      );
  const schema = findSchema(fact, manifest);
  if (schema !== "unlisted" && "issue" in schema) p.add(schema.issue, schema.message, "/pred");
  const known = schema !== "unlisted" && "predicate" in schema ? schema : undefined;
  if (fact.args !== undefined && fact.named_args !== undefined)
    p.add("args_and_named_args", "a fact has args or named_args, not both");
  else if (fact.args === undefined && fact.named_args === undefined)
    p.add("args_missing", "args are missing; write [] if there are none");
  else if (fact.named_args !== undefined) checkNamed(p, fact, known, manifest);
  else checkPositional(p, fact, known);
  if (fact.t !== undefined && fact.t !== null) {
    const allowed =
      manifest.capabilities.temporal && (known ? known.temporal === true : !manifest.facts_profile.predicates);
    if (allowed) checkWindow(p, fact.t, manifest);
    else if (schema === "unlisted" || known) p.add("temporal_not_accepted", `${fact.pred} takes no t`, "/t");
  }
  checkSource(p, fact.source, manifest.facts_profile.time_formats);
  if (fact.category !== undefined && fact.category !== null && !CATEGORIES.includes(fact.category))
    p.add("invalid_category", `category is one of ${CATEGORIES.join(", ")}`, "/category");
  return p.found;
}

/** A fact as it is written. Its category is left out: what a client sends is a session fact (P-PROV-10). */
export function wireFact(fact: Fact): JsonObjectInput {
  return {
    pred: fact.pred,
    args: fact.args && fact.args.map((v) => wireValue(v)),
    named_args: fact.named_args && wireValue(fact.named_args),
    t: (fact.t ?? undefined) as JsonInput | undefined,
    source: (fact.source ?? undefined) as JsonInput | undefined,
  };
}

// ---- intents

/** The predicates that an intent wants (P-MIN-1, P-MIN-2). */
export function wantedPredicates(entry: IntentEntry): Set<string> {
  return new Set([...(entry.required_facts ?? []), ...(entry.optional_facts ?? [])]);
}

/** Is this a JSON object that can be sent? */
export function checkObject(value: unknown, path: string): Problem[] {
  if (!isObject(value)) return [{ path, message: `is an object, not ${kindOf(value)}` }];
  try {
    writeJson(value as JsonObjectInput, 4);
    return [];
  } catch (error) {
    if (error instanceof JsonError) return [{ path, message: error.message }];
    throw error;
  }
}

const LEAST: { readonly [name in keyof Constraints]-?: number } = {
  max_facts_created: 1,
  max_intervals_per_atom: 1,
  max_compute_ms: 1,
  max_tools_returned: 0,
  max_tokens_budget: 0,
};

export function checkConstraints(constraints: Constraints): Problem[] {
  const found: Problem[] = [];
  for (const [name, value] of Object.entries(constraints)) {
    const least = LEAST[name as keyof Constraints];
    if (least === undefined)
      found.push({
        path: `/constraints/${name}`,
        message: `there is no such constraint; there are ${Object.keys(LEAST).join(", ")}`,
      });
    else if (value !== undefined && (!Number.isSafeInteger(value) || value < least))
      found.push({ path: `/constraints/${name}`, message: `is an integer of ${least} or more` });
  }
  return found;
}

export function checkEvalTime(value: JsonInput, formats: readonly string[]): Problem[] {
  const time = readTime(value, formats);
  if (time.kind === "open") return [{ path: "/eval_time", message: "an evaluation has an instant, not an open end" }];
  return time.kind === "wrong" ? [{ path: "/eval_time", message: time.message }] : [];
}
