// The client's working state: facts without duplicates, and state deltas applied to them.
//
// Identity is predicate, arguments and annotation. Values compare as on the wire, so 1 is not 1.0
// and the order of an object's members is nothing (D-48); annotations compare as intervals, so the
// spelling of an instant is nothing. A fact keeps its source; its category is dropped, because
// whoever sends a fact again sends it as a session fact (P-PROV-10). What the server signed takes the
// place of an equal fact, so that it counts when it comes back. Facts are frozen copies.

import { UsageError, type Problem } from "./errors.js";
import { canonicalWindow } from "./core/time.js";
import type { Fact, FactPattern, FactValue, StateDelta } from "./core/types.js";
import { canonical, Float, integer, isObject, setMember, unwrapInt64, type JsonInput } from "./core/values.js";

const DEFAULT_MAX = 100_000;
const MAX_DEPTH = 56;

/** The names of a predicate's arguments, where they are known: with them a fact by name and the
 * same by position are one (P-FACT-12). */
export type ArgNames = (predicate: string) => readonly string[] | undefined;

/** Write a fact: `fact("reading", "zone-b", 93)`. */
export function fact(pred: string, ...args: FactValue[]): Fact {
  return { pred, args };
}

function copyValue(value: unknown, depth = 0): FactValue {
  if (depth > MAX_DEPTH) throw new UsageError("a fact is nested too deep, or contains itself");
  if (typeof value === "bigint") return integer(value);
  if (value === null || value === undefined || typeof value === "function" || typeof value === "symbol")
    throw new UsageError(`${String(value)} is no value of a fact`);
  if (typeof value !== "object" || value instanceof Float) return Object.is(value, -0) ? 0 : (value as FactValue);
  if (Array.isArray(value)) return Object.freeze(value.map((v) => copyValue(v, depth + 1)));
  const exact = unwrapInt64(value as { [key: string]: unknown });
  if (exact !== undefined) return exact;
  const out: { [key: string]: FactValue } = {};
  for (const [name, inner] of Object.entries(value))
    if (inner !== undefined) setMember(out, name, copyValue(inner, depth + 1));
  return Object.freeze(out);
}

function shapeProblem(value: unknown): string | undefined {
  if (!isObject(value) || typeof value["pred"] !== "string" || !value["pred"])
    return "a fact is an object with pred and args";
  if (Array.isArray(value["args"]) === isObject(value["named_args"]))
    return "a fact has args (an array) or named_args (an object)";
  if (value["t"] !== undefined && value["t"] !== null && !isObject(value["t"])) return "t is an object";
  return undefined;
}

function frozenFact(from: Fact, names: readonly string[] | undefined): Fact {
  const out: { -readonly [K in keyof Fact]: Fact[K] } = { pred: from.pred };
  const named = from.named_args;
  if (named && names && names.length === Object.keys(named).length && names.every((name) => Object.hasOwn(named, name)))
    out.args = Object.freeze(names.map((name) => copyValue(named[name])));
  else if (named) out.named_args = copyValue(named) as { [name: string]: FactValue };
  else out.args = copyValue(from.args) as readonly FactValue[];
  if (from.t) out.t = Object.freeze({ ...from.t });
  if (from.source) {
    const { source_type, source_id, asserted_at, signature } = from.source;
    out.source = Object.freeze({
      source_type,
      ...(source_id === undefined || source_id === null ? {} : { source_id }),
      ...(asserted_at === undefined || asserted_at === null ? {} : { asserted_at }),
      ...(signature ? { signature } : {}),
    });
  }
  return Object.freeze(out);
}

/** A fact and what it is compared by. */
interface Entry {
  readonly fact: Fact;
  readonly args: readonly string[] | undefined; // canonical, one by one; undefined: by name
  readonly window: string;
  readonly key: string;
}

function entryOf(f: Fact): Entry {
  const args = f.args?.map((v) => canonical(v as JsonInput));
  const window = canonicalWindow(f.t);
  const value = args ? `[${args.join(",")}]` : canonical(f.named_args as JsonInput);
  return { fact: f, args, window, key: `${f.pred} ${value} ${window}` };
}

export class WorkingFacts implements Iterable<Fact> {
  readonly #all = new Map<string, Entry>(); // by key, in the order in which they came
  readonly #byPredicate = new Map<string, Set<Entry>>();
  readonly #max: number;
  #names: ArgNames;

  constructor(options: { argNames?: ArgNames; maxFacts?: number } = {}) {
    this.#names = options.argNames ?? (() => undefined);
    this.#max = options.maxFacts ?? DEFAULT_MAX;
  }

  get size(): number {
    return this.#all.size;
  }

  *[Symbol.iterator](): Iterator<Fact> {
    for (const { fact: f } of this.#all.values()) yield f;
  }

  /** Take the names of arguments from here on from elsewhere; facts by name are matched anew. */
  useArgNames(names: ArgNames): void {
    const all = [...this];
    this.#names = names;
    if (!all.some((f) => f.named_args)) return;
    this.clear();
    this.#insert(all);
  }

  clear(): void {
    this.#all.clear();
    this.#byPredicate.clear();
  }

  has(f: Fact): boolean {
    return shapeProblem(f) === undefined && this.#all.has(entryOf(frozenFact(f, this.#names(f.pred))).key);
  }

  /** Add facts; one that is there already is kept once, of two the one that the server signed last.
   * All or nothing: a bad entry adds none. Returns those that are new. */
  add(...facts: readonly Fact[]): Fact[] {
    return this.addAll(facts);
  }

  addAll(facts: readonly Fact[]): Fact[] {
    return this.#insert(this.#copies(facts));
  }

  #copies(facts: readonly Fact[]): Fact[] {
    const problems: Problem[] = [];
    const copies: Fact[] = [];
    facts.forEach((f, i) => {
      const wrong = shapeProblem(f);
      if (wrong) problems.push({ path: `/facts/${i}`, message: wrong });
      else copies.push(frozenFact(f, this.#names(f.pred)));
    });
    if (problems.length) throw new UsageError("these are no facts", problems);
    return copies;
  }

  #insert(facts: readonly Fact[]): Fact[] {
    const taken = new Map<string, Entry>();
    for (const f of facts) {
      const entry = entryOf(f.named_args ? frozenFact(f, this.#names(f.pred)) : f);
      if (f.source?.signature || (!this.#all.has(entry.key) && !taken.has(entry.key))) taken.set(entry.key, entry);
    }
    const fresh = [...taken].filter(([key]) => !this.#all.has(key)).map(([, entry]) => entry.fact);
    if (this.#all.size + fresh.length > this.#max)
      throw new UsageError(`the working facts hold ${this.#max} at most; retract some, or raise maxFacts`);
    for (const [key, entry] of taken) {
      const entries = this.#byPredicate.get(entry.fact.pred) ?? new Set();
      const before = this.#all.get(key);
      if (before) entries.delete(before);
      this.#all.set(key, entry);
      this.#byPredicate.set(entry.fact.pred, entries.add(entry));
    }
    return fresh;
  }

  /** Take away what a pattern matches: `null` leaves a position open, at the top level only; without
   * `t` any annotation will do (P-DELTA-4, P-DELTA-5, D-48). Returns what went. */
  retract(pattern: FactPattern): Fact[] {
    const want = pattern.args.map((v) => (v === null ? null : canonical(v as JsonInput)));
    const window = pattern.t ? canonicalWindow(pattern.t) : undefined;
    const gone: Fact[] = [];
    const entries = this.#byPredicate.get(pattern.pred) ?? new Set<Entry>();
    for (const entry of entries) {
      if (entry.args?.length !== want.length || (window !== undefined && entry.window !== window)) continue;
      if (!entry.args.every((v, i) => want[i] === null || want[i] === v)) continue;
      this.#all.delete(entry.key);
      entries.delete(entry);
      gone.push(entry.fact);
    }
    return gone;
  }

  /** Apply a delta: all retractions, then all assertions (P-DELTA-6). */
  apply(delta: StateDelta): { retracted: Fact[]; asserted: Fact[] } {
    const copies = this.#copies(delta.assert); // before anything is taken away
    const retracted = delta.retract.flatMap((pattern) => this.retract(pattern));
    try {
      return { retracted, asserted: this.#insert(copies) };
    } catch (error) {
      this.#insert(retracted); // too many: as if it had not been tried
      throw error;
    }
  }

  /** Those of these predicates, in the order in which they came. */
  select(predicates: ReadonlySet<string>): Fact[] {
    return [...this].filter((f) => predicates.has(f.pred));
  }
}
