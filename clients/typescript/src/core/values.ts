// Values as the wire has them, in JavaScript.
//
// The wire tells integers from floats by their spelling: 1 and 1.0 are two values, and integers are
// 64 bits wide. A JavaScript number keeps neither apart, so:
//
//   integer within ±(2^53 - 1)    number
//   integer beyond, within int64  bigint
//   float that is no whole number number
//   float that is a whole number  Float        (1.0, 1e3)
//
// Reading gives exactly these, writing takes them, and a round trip changes nothing. A *number*
// that is whole but beyond 2^53 - 1 may have lost digits before it came here: in facts it is refused.

import { UsageError } from "../errors.js";

/** A float whose value is a whole number: `new Float(1)` is 1.0 on the wire, and not 1. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    if (!Number.isFinite(value))
      throw new UsageError("a float on the wire is finite", [{ path: "", message: `${value} is not` }]);
    this.value = value;
    Object.freeze(this);
  }

  valueOf(): number {
    return this.value;
  }

  /** With a point or an exponent, always. */
  toString(): string {
    const text = Object.is(this.value, -0) ? "-0" : String(this.value);
    return /[.e]/.test(text) ? text : `${text}.0`;
  }

  toJSON(): number {
    return this.value;
  }
}

/** A float for facts: 2 becomes 2.0, 2.5 stays as it is. */
export function float(value: number): number | Float {
  return Number.isInteger(value) ? new Float(value) : new Float(value).value;
}

/** Any JSON value as read from the wire. `undefined` members of objects are left out in writing. */
export type Json = null | boolean | number | bigint | string | Float | Json[] | { [key: string]: Json };
/** What may be given to be written: the same, and read-only or with members left undefined. */
export type JsonInput =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | readonly JsonInput[]
  | { readonly [key: string]: JsonInput | undefined };
export type JsonObject = { [key: string]: Json };
export type JsonObjectInput = { readonly [key: string]: JsonInput | undefined };

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

export function fitsInt64(value: bigint): boolean {
  return value >= INT64_MIN && value <= INT64_MAX;
}

/** A bigint as this module keeps integers: a number where it is exact. */
export function integer(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** The integer in the wrapper that the wire has for those beyond 2^53 - 1 (D-11); undefined if it is none. */
export function unwrapInt64(value: { readonly [key: string]: unknown }): number | bigint | undefined {
  const text = value["value"];
  if (value["_type"] !== "int64" || typeof text !== "string" || Object.keys(value).length !== 2) return undefined;
  return /^(0|-?[1-9]\d{0,18})$/.test(text) && fitsInt64(BigInt(text)) ? integer(BigInt(text)) : undefined;
}

export function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Float);
}

/** An own member, never one of Object.prototype: names come from the other side. */
export function member<T>(object: { readonly [key: string]: T }, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Set a member that may be called `__proto__`. */
export function setMember<T>(object: { [key: string]: T }, name: string, value: T): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/** What kind of thing it is, in the words of JSON. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof Float || typeof value === "bigint") return "number";
  return typeof value;
}

/** Floats become plain numbers: for results, where 1.0 and 1 need not be told apart. */
export function plain(value: Json): Json {
  if (value instanceof Float) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) setMember(out, name, plain(inner));
  return out;
}

/** A text that two values share exactly if they are one value to the rules: integers are not
 * floats, the order of an object's members is nothing (P-FACT-20, P-FACT-21). */
export function canonical(value: JsonInput): string {
  if (value instanceof Float) return value.value === 0 ? "0.0" : value.toString();
  if (typeof value === "bigint" || typeof value === "number") return Object.is(value, -0) ? "0" : String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const object = value as JsonObjectInput;
  const names = Object.keys(object)
    .filter((name) => object[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(object[name] as JsonInput)}`).join(",")}}`;
}
