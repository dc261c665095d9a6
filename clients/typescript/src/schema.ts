// Arguments against a tool's input schema, before they are sent (P-INV-11).
//
// A compact subset of JSON Schema 2020-12: the keywords of protocol.md 2.12. What it does not know,
// or could only judge with unbounded work, it does not refuse: the server has the last word. So an
// error from here is always an error there, and silence promises nothing.

import { canonical, Float, isObject, kindOf, member, type JsonInput, type JsonObject } from "./core/values.js";
import { pointerPart } from "./core/json.js";

export interface SchemaError {
  /** JSON Pointer into the arguments; "" is the whole. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

const MAX_STEPS = 100_000;
const MAX_DEPTH = 100;
const MAX_ERRORS = 50;
const REGEX_WORK = 5e6; // that one search may take at worst
const ALL_REGEX_WORK = 1e8; // that those of one check may
const FEW = 10; // up to so many choices of how often, a repetition counts as that many ways

class OutOfSteps extends Error {}

/** The value of a number; a bigint stays one where a double would not do. */
type Numeric = number | bigint;

function numeric(value: unknown): Numeric | undefined {
  if (value instanceof Float) return value.value;
  return typeof value === "number" || typeof value === "bigint" ? value : undefined;
}

function isInteger(value: Numeric): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

/** Equal as JSON Schema has it: 1 and 1.0 are equal. */
function schemaKey(value: unknown): string {
  const number = numeric(value);
  if (number !== undefined)
    return typeof number === "number" && Number.isInteger(number) ? String(BigInt(number)) : String(number);
  if (Array.isArray(value)) return `[${value.map(schemaKey).join(",")}]`;
  if (!isObject(value)) return canonical(value as JsonInput);
  return `{${Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${schemaKey(value[name])}`)
    .join(",")}}`;
}

function hasType(value: unknown, type: unknown): boolean {
  const kind = kindOf(value);
  if (type === "integer") return kind === "number" && isInteger(numeric(value)!);
  return kind === type || !["array", "boolean", "null", "number", "object", "string"].includes(String(type));
}

// ---- patterns

/** In how many ways a pattern may match at one place, at worst: `count` times the text's length to the
 * power of `power`; a search that fails has gone all of them. `size` is what one way tries, whatever
 * the text is. */
interface Ways {
  readonly count: number;
  readonly power: number;
  readonly size: number;
}

const NOTHING: Ways = { count: 1, power: 0, size: 0 };
const ONE: Ways = { count: 1, power: 0, size: 1 };

function both(a: Ways, b: Ways): Ways {
  return { count: a.count * b.count, power: a.power + b.power, size: a.size + b.size };
}

function either(a: Ways, b: Ways): Ways {
  return { count: a.count + b.count, power: Math.max(a.power, b.power), size: a.size + b.size };
}

/** Undefined: that may take exponential time. */
function repeated(what: Ways, least: number, most: number): Ways | undefined {
  const span = most - least + 1,
    size = Math.max(least, 1) * (what.size + 1);
  if (span === 1) return { count: what.count ** least, power: what.power * least, size };
  if (what.count === 1 && what.power === 0)
    return span <= FEW ? { count: span, power: 0, size } : { count: 1, power: 1, size };
  if (most === Infinity) return undefined;
  return { count: span * what.count ** most, power: what.power * most, size: most * (what.size + 1) };
}

/** The end of a set that begins at `from`. */
function endOfSet(pattern: string, from: number): number {
  let i = from + 1;
  for (; i < pattern.length && pattern[i] !== "]"; i++) if (pattern[i] === "\\") i++;
  return i + 1;
}

interface Group {
  /** The alternatives before this one, what stands before the last atom, and that. */
  others: Ways | undefined;
  before: Ways;
  last: Ways;
}

function whole(group: Group): Ways {
  const here = both(group.before, group.last);
  return group.others ? either(group.others, here) : here;
}

/** Undefined for a pattern that can take exponential time, or refers back: JavaScript cannot be told to stop. */
function waysOf(pattern: string): Ways | undefined {
  const outer: Group = { others: undefined, before: NOTHING, last: NOTHING };
  const groups = [outer];
  const token = /\\[^]?|\(\?(?:[:=!]|<[=!]|<[^>]*>)|(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??|[^]/y;
  for (let i = 0; i < pattern.length;) {
    const group = groups[groups.length - 1] ?? outer;
    token.lastIndex = i;
    const found = token.exec(pattern);
    if (!found) return undefined;
    const [text, least, comma, most] = found,
      c = text[0] ?? "";
    i += text.length;
    if (c === "(") {
      groups.push({ others: undefined, before: NOTHING, last: NOTHING });
    } else if (c === ")") {
      const inner = groups.length > 1 ? groups.pop() : undefined;
      const around = groups[groups.length - 1];
      if (!inner || !around) return undefined;
      around.before = both(around.before, around.last);
      around.last = whole(inner);
    } else if (c === "|") {
      group.others = whole(group);
      group.before = group.last = NOTHING;
    } else if ("*+?".includes(c) || (c === "{" && least !== undefined)) {
      const from = least === undefined ? Number(c === "+") : Number(least);
      const unbounded = least === undefined ? c !== "?" : comma !== undefined && !most;
      const to = unbounded ? Infinity : least === undefined ? 1 : comma === undefined ? from : Number(most);
      const again = repeated(group.last, from, to);
      if (!again) return undefined;
      group.last = again;
    } else {
      if (c === "\\" && /[1-9k]/.test(text)) return undefined;
      if (c === "[") i = endOfSet(pattern, i - 1);
      group.before = both(group.before, group.last);
      group.last = ONE;
    }
  }
  return groups.length === 1 ? whole(outer) : undefined;
}

function workOf(ways: Ways, length: number): number {
  return ways.count * (length + 1) ** (ways.power + 1) * (1 + ways.size);
}

// ---- the walk

/** Does something below the root give itself another base for references? */
function rebased(schema: unknown, depth = 0): boolean {
  if (typeof schema !== "object" || schema === null || depth > MAX_DEPTH) return false;
  return Object.values(schema).some(
    (inner: unknown) => (isObject(inner) && Object.hasOwn(inner, "$id")) || rebased(inner, depth + 1),
  );
}

class Validation {
  readonly refsAreLocal: boolean;
  #steps = 0;
  #matching = ALL_REGEX_WORK;

  constructor(readonly root: unknown) {
    this.refsAreLocal = !rebased(root);
  }

  #step(count = 1): void {
    this.#steps += count;
    if (this.#steps > MAX_STEPS) throw new OutOfSteps();
  }

  /** Does the text match? Undefined: it cannot be told in bounded time, or it is no pattern here. */
  matches(pattern: unknown, text: string): boolean | undefined {
    if (typeof pattern !== "string" || pattern.length > 1000) return undefined;
    this.#step(1 + pattern.length / 20);
    const ways = waysOf(pattern);
    const work = ways ? workOf(ways, text.length) : NaN;
    if (!(work <= REGEX_WORK && work <= this.#matching)) return undefined;
    this.#matching -= work;
    try {
      return new RegExp(pattern, "u").test(text);
    } catch {
      return undefined;
    }
  }

  /** Does `value` fit? Errors are collected into `into`; null: only the answer is wanted. */
  fits(schema: unknown, value: unknown, path: string, into: SchemaError[] | null, depth = 0): boolean {
    this.#step();
    if (depth > MAX_DEPTH) throw new OutOfSteps();
    if (schema === false) return this.#add(into, path, "false", "nothing is allowed here");
    if (!isObject(schema)) return true;
    let ok = true;
    for (const [keyword, rule] of Object.entries(schema)) {
      const judge = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
      if (judge && !judge(new Place(this, schema, value, path, into, depth, keyword), rule)) ok = false;
    }
    return ok;
  }

  #add(into: SchemaError[] | null, path: string, keyword: string, message: string): false {
    if (into && into.length < MAX_ERRORS) into.push({ path, keyword, message });
    return false;
  }

  error(place: Place, message: string, path = place.path): false {
    return this.#add(place.into, path, place.keyword, message);
  }
}

/** One keyword at one value. */
class Place {
  constructor(
    readonly run: Validation,
    readonly schema: { [key: string]: unknown },
    readonly value: unknown,
    readonly path: string,
    readonly into: SchemaError[] | null,
    readonly depth: number,
    readonly keyword: string,
  ) {}

  fail(message: string, below?: string): false {
    return this.run.error(this, message, below === undefined ? this.path : `${this.path}/${pointerPart(below)}`);
  }

  fits(schema: unknown, value: unknown = this.value, below?: string): boolean {
    return this.run.fits(
      schema,
      value,
      below === undefined ? this.path : `${this.path}/${pointerPart(below)}`,
      this.into,
      this.depth + 1,
    );
  }

  quietly(schema: unknown, value: unknown = this.value): boolean {
    return this.run.fits(schema, value, this.path, null, this.depth + 1);
  }

  get object(): { [key: string]: unknown } | undefined {
    return isObject(this.value) ? this.value : undefined;
  }

  get names(): string[] {
    const object = this.object;
    return object ? Object.keys(object).filter((name) => object[name] !== undefined) : [];
  }
}

type Rule = (at: Place, rule: unknown) => boolean;

function bound(word: string, holds: (value: Numeric, limit: Numeric) => boolean): Rule {
  return (at, rule) => {
    const value = numeric(at.value),
      limit = numeric(rule);
    return (
      value === undefined ||
      limit === undefined ||
      holds(value, limit) ||
      at.fail(`${String(value)} is not ${word} ${String(limit)}`)
    );
  };
}

function size(measure: (at: Place) => number | undefined, word: string, most: boolean): Rule {
  return (at, rule) => {
    const length = measure(at),
      limit = numeric(rule);
    if (length === undefined || limit === undefined) return true;
    return (
      (most ? length <= limit : length >= limit) ||
      at.fail(`has ${length} ${word}, ${String(limit)} ${most ? "at most" : "at least"}`)
    );
  };
}

const characters = (at: Place): number | undefined => (typeof at.value === "string" ? [...at.value].length : undefined);
const entries = (at: Place): number | undefined => (Array.isArray(at.value) ? at.value.length : undefined);
const members = (at: Place): number | undefined => (at.object ? at.names.length : undefined);

function multiple(value: Numeric, of: Numeric): boolean {
  if (isInteger(value) && isInteger(of)) return BigInt(of) === 0n || BigInt(value) % BigInt(of) === 0n;
  const quotient = Number(value) / Number(of);
  /* Decimal fractions are not exact in binary: what is near enough is left to the server. */
  return (
    !Number.isFinite(quotient) || Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient))
  );
}

function resolve(root: unknown, reference: unknown): { schema: unknown } | undefined {
  if (reference === "#") return { schema: root };
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const raw of reference.slice(2).split("/")) {
    let part: string;
    try {
      part = decodeURIComponent(raw).replace(/~1/g, "/").replace(/~0/g, "~");
    } catch {
      return undefined;
    }
    if (Array.isArray(at)) at = /^\d+$/.test(part) ? at[Number(part)] : undefined;
    else at = isObject(at) ? member(at, part) : undefined;
    if (at === undefined) return undefined;
  }
  return { schema: at };
}

/** Names that `properties` and `patternProperties` speak for; undefined where that cannot be told. */
function spokenFor(at: Place, name: string): boolean | undefined {
  const properties = at.schema["properties"],
    patterns = at.schema["patternProperties"];
  if (isObject(properties) && Object.hasOwn(properties, name)) return true;
  let known: boolean | undefined = false;
  for (const pattern of isObject(patterns) ? Object.keys(patterns) : []) {
    const found = at.run.matches(pattern, name);
    if (found) return true;
    if (found === undefined) known = undefined;
  }
  return known;
}

const RULES: { readonly [keyword: string]: Rule } = {
  type: (at, rule) => {
    const types = Array.isArray(rule) ? (rule as unknown[]) : [rule];
    return (
      types.some((type) => hasType(at.value, type)) || at.fail(`must be ${types.join(" or ")}, not ${kindOf(at.value)}`)
    );
  },
  enum: (at, rule) => {
    if (!Array.isArray(rule)) return true;
    const key = schemaKey(at.value);
    return (
      rule.some((value) => schemaKey(value) === key) ||
      at.fail(`must be one of ${rule.slice(0, 20).map(schemaKey).join(", ")}`)
    );
  },
  const: (at, rule) => schemaKey(rule) === schemaKey(at.value) || at.fail(`must be ${schemaKey(rule).slice(0, 200)}`),
  minimum: bound("at least", (value, limit) => value >= limit),
  maximum: bound("at most", (value, limit) => value <= limit),
  exclusiveMinimum: bound("more than", (value, limit) => value > limit),
  exclusiveMaximum: bound("less than", (value, limit) => value < limit),
  multipleOf: bound("a multiple of", multiple),
  minLength: size(characters, "characters", false),
  maxLength: size(characters, "characters", true),
  pattern: (at, rule) =>
    typeof at.value !== "string" || at.run.matches(rule, at.value) !== false || at.fail(`does not match ${String(rule)}`),
  minItems: size(entries, "entries", false),
  maxItems: size(entries, "entries", true),
  uniqueItems: (at, rule) => {
    if (rule !== true || !Array.isArray(at.value)) return true;
    return new Set(at.value.map(schemaKey)).size === at.value.length || at.fail("has an entry twice");
  },
  prefixItems: (at, rule) => {
    if (!Array.isArray(rule) || !Array.isArray(at.value)) return true;
    return at.value
      .slice(0, rule.length)
      .map((value, i) => at.fits(rule[i], value, String(i)))
      .every(Boolean);
  },
  items: (at, rule) => {
    if (!Array.isArray(at.value) || Array.isArray(rule)) return true;
    const prefix = at.schema["prefixItems"],
      from = Array.isArray(prefix) ? prefix.length : 0;
    return at.value
      .slice(from)
      .map((value, i) => at.fits(rule, value, String(from + i)))
      .every(Boolean);
  },
  minProperties: size(members, "members", false),
  maxProperties: size(members, "members", true),
  required: (at, rule) => {
    if (!at.object || !Array.isArray(rule)) return true;
    const missing = rule.filter((name) => typeof name === "string" && !at.names.includes(name));
    return missing.map((name) => at.fail(`${String(name)} is missing`)).length === 0;
  },
  properties: (at, rule) => {
    const object = at.object;
    if (!object || !isObject(rule)) return true;
    return at.names
      .filter((name) => Object.hasOwn(rule, name))
      .map((name) => at.fits(rule[name], object[name], name))
      .every(Boolean);
  },
  patternProperties: (at, rule) => {
    const object = at.object;
    if (!object || !isObject(rule)) return true;
    return Object.keys(rule)
      .flatMap((pattern) =>
        at.names
          .filter((name) => at.run.matches(pattern, name))
          .map((name) => at.fits(rule[pattern], object[name], name)),
      )
      .every(Boolean);
  },
  additionalProperties: (at, rule) => {
    const object = at.object;
    if (!object) return true;
    const extra = at.names.filter((name) => spokenFor(at, name) === false);
    if (rule === false) return extra.map((name) => at.fail("there is no such argument", name)).length === 0;
    return extra.map((name) => at.fits(rule, object[name], name)).every(Boolean);
  },
  propertyNames: (at, rule) =>
    at.names.map((name) => at.quietly(rule, name) || at.fail("is a name that is not allowed", name)).every(Boolean),
  allOf: (at, rule) => !Array.isArray(rule) || rule.map((schema) => at.fits(schema)).every(Boolean),
  anyOf: (at, rule) =>
    !Array.isArray(rule) || rule.some((schema) => at.quietly(schema)) || at.fail("fits none of the alternatives"),
  not: (at, rule) => !knowsAll(rule) || !at.quietly(rule) || at.fail("fits what it must not"),
  oneOf: (at, rule) => {
    if (!Array.isArray(rule)) return true;
    const fitting = rule.filter((schema) => at.quietly(schema));
    if (fitting.length === 1) return true;
    if (fitting.length > 1 && !rule.every(knowsAll)) return true; // one of them may not fit after all
    return at.fail(fitting.length ? "fits more than one of the alternatives" : "fits none of the alternatives");
  },
  if: (at, rule) => {
    /* An unknown keyword makes "it fits" a guess; then neither branch is held against the value. */
    const fitting = at.quietly(rule);
    if (fitting && !knowsAll(rule)) return true;
    const branch = at.schema[fitting ? "then" : "else"];
    return branch === undefined || at.fits(branch);
  },
  $ref: (at, rule) => {
    const target = at.run.refsAreLocal ? resolve(at.run.root, rule) : undefined;
    return !target || at.fits(target.schema);
  },
};

const ANNOTATIONS = [
  "then",
  "else",
  "$defs",
  "default",
  "format",
  "title",
  "description",
  "examples",
  "$schema",
  "$comment",
  "deprecated",
  "readOnly",
  "writeOnly",
];
const WITH_SCHEMAS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const WITH_SCHEMA = ["items", "additionalProperties", "propertyNames", "not", "if", "then", "else"];

/** Is everything in this schema judged exactly here? Only then does "it fits" mean that it fits. */
function knowsAll(schema: unknown, depth = 0): boolean {
  if (!isObject(schema)) return true;
  if (depth > 20) return false;
  return Object.entries(schema).every(([keyword, rule]) => {
    if (keyword === "$ref" || keyword === "pattern" || keyword === "patternProperties" || keyword === "multipleOf")
      return false;
    if (!Object.hasOwn(RULES, keyword) && !ANNOTATIONS.includes(keyword)) return false;
    if (WITH_SCHEMAS.includes(keyword))
      return !Array.isArray(rule) || rule.every((inner) => knowsAll(inner, depth + 1));
    if (WITH_SCHEMA.includes(keyword)) return knowsAll(rule, depth + 1);
    if (keyword === "properties")
      return !isObject(rule) || Object.values(rule).every((inner) => knowsAll(inner, depth + 1));
    return true;
  });
}

/** What is wrong with `value`, as far as this subset can tell; empty if nothing is. */
export function validate(schema: JsonObject | boolean, value: unknown): SchemaError[] {
  const dialect = isObject(schema) ? member(schema, "$schema") : undefined;
  if (dialect !== undefined && !/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(String(dialect)))
    return [];
  const run = new Validation(schema);
  const errors: SchemaError[] = [];
  try {
    return run.fits(schema, value, "", errors) ? [] : errors;
  } catch (error) {
    if (error instanceof OutOfSteps) return []; // not judged: the server will
    throw error;
  }
}
