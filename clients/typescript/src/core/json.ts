// JSON text, strict and exact: RFC 8259 and nothing beside it, names of an object only once (D-5),
// depth bounded (D-6), integers told from floats (D-7). `JSON.parse` can do none of these.

import { Float, fitsInt64, integer, setMember, type Json, type JsonInput, type JsonObject } from "./values.js";

export const MAX_DEPTH = 64;

/** What is wrong with a text, and where. */
export class JsonError extends Error {
  override readonly name = "JsonError";
}

const SPACE = /[ \t\n\r]*/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const HEX = /[0-9a-fA-F]{4}/y;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ESCAPES: { readonly [letter: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Bytes to text: UTF-8 without faults and without a byte order mark, or an error (P-ENV-14). */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new JsonError("the text is not UTF-8");
  }
}

export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

const wellFormed = (String.prototype as { isWellFormed?: (this: string) => boolean }).isWellFormed;

export function hasLoneSurrogate(text: string): boolean {
  return wellFormed ? !wellFormed.call(text) : LONE_SURROGATE.test(text);
}

class Reader {
  #at = 0;
  constructor(readonly text: string) {}

  fail(what: string): never {
    throw new JsonError(`${what} at character ${this.#at + 1}`);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found) this.#at += found[0].length;
    return found;
  }

  #space(): void {
    this.#match(SPACE);
  }

  #next(): string {
    return this.text.charAt(this.#at);
  }

  document(): Json {
    this.#space();
    const value = this.#value(1);
    this.#space();
    if (this.#at < this.text.length) this.fail("there is more after the value");
    return value;
  }

  #value(depth: number): Json {
    switch (this.#next()) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.#at)) this.fail("no value");
    this.#at += word.length;
    return value;
  }

  #number(): Json {
    const found = this.#match(NUMBER);
    if (!found) this.fail(this.#at < this.text.length ? "no value" : "the text ends");
    const text = found[0];
    const value = Number(text);
    if (!Number.isFinite(value)) this.fail(`${text.slice(0, 40)} is no number that fits`);
    if (found[1] !== undefined || found[2] !== undefined) return Number.isInteger(value) ? new Float(value) : value;
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    const exact = text.length <= 20 ? BigInt(text) : undefined; // int64 has 19 digits and a sign
    return exact !== undefined && fitsInt64(exact) ? integer(exact) : new Float(value);
  }

  #string(): string {
    let out = "";
    this.#at++;
    for (;;) {
      out += this.#match(PLAIN)![0];
      const c = this.#next();
      if (c === '"') break;
      if (c !== "\\") this.fail(c ? "a control character in a string" : "a string without its end");
      this.#at++;
      out += this.#escape();
    }
    this.#at++;
    if (hasLoneSurrogate(out)) this.fail("half a surrogate pair in the string that ends");
    return out;
  }

  #escape(): string {
    const letter = this.#next();
    this.#at++;
    if (letter === "u") {
      const hex = this.#match(HEX);
      if (!hex) this.fail("no four hex digits after \\u");
      return String.fromCharCode(parseInt(hex[0], 16));
    }
    const out = ESCAPES[letter];
    if (out === undefined) this.fail("no escape");
    return out;
  }

  #array(depth: number): Json[] {
    const out: Json[] = [];
    if (depth > MAX_DEPTH) this.fail(`nested deeper than ${MAX_DEPTH}`);
    this.#at++;
    this.#space();
    if (this.#next() === "]") {
      this.#at++;
      return out;
    }
    for (;;) {
      this.#space();
      out.push(this.#value(depth + 1));
      this.#space();
      const c = this.#next();
      this.#at++;
      if (c === "]") return out;
      if (c !== ",") {
        this.#at--;
        this.fail("neither a comma nor the end of the array");
      }
    }
  }

  #object(depth: number): JsonObject {
    const out: JsonObject = {};
    if (depth > MAX_DEPTH) this.fail(`nested deeper than ${MAX_DEPTH}`);
    this.#at++;
    this.#space();
    if (this.#next() === "}") {
      this.#at++;
      return out;
    }
    for (;;) {
      this.#space();
      if (this.#next() !== '"') this.fail("no name of a member");
      const name = this.#string();
      if (Object.hasOwn(out, name)) this.fail(`the member ${JSON.stringify(name.slice(0, 60))} a second time`);
      this.#space();
      if (this.#next() !== ":") this.fail("no colon");
      this.#at++;
      this.#space();
      setMember(out, name, this.#value(depth + 1));
      this.#space();
      const c = this.#next();
      this.#at++;
      if (c === "}") return out;
      if (c !== ",") {
        this.#at--;
        this.fail("neither a comma nor the end of the object");
      }
    }
  }
}

/** Read one JSON text. Throws JsonError. */
export function parseJson(text: string): Json {
  return new Reader(text).document();
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new JsonError(`${value} is no JSON value`);
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
  /* Whole, but beyond what is exact: written as the float that it is. */
  return Number.isInteger(value) ? new Float(value).toString() : String(value);
}

function write(value: JsonInput | undefined, path: string, depth: number): string {
  if (depth > MAX_DEPTH)
    throw new JsonError(`${path || "the value"} is nested deeper than ${MAX_DEPTH}, or contains itself`);
  switch (typeof value) {
    case "boolean":
      return value ? "true" : "false";
    case "number":
      return numberText(value);
    case "bigint":
      if (!fitsInt64(value)) throw new JsonError(`${path || "the value"} is beyond 64 bits`);
      return String(value);
    case "string":
      if (hasLoneSurrogate(value)) throw new JsonError(`${path || "the text"} has half a surrogate pair`);
      return JSON.stringify(value);
    case "object":
      break;
    default:
      throw new JsonError(`${path || "the value"} is no JSON value: ${typeof value}`);
  }
  if (value === null) return "null";
  if (value instanceof Float) return value.toString();
  if (Array.isArray(value)) return `[${value.map((v, i) => write(v, `${path}/${i}`, depth + 1)).join(",")}]`;
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== null && Object.getPrototypeOf(proto) !== null)
    throw new JsonError(`${path || "the value"} is no JSON value: a ${value.constructor?.name || "class"}`);
  const out: string[] = [];
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    if (hasLoneSurrogate(name)) throw new JsonError(`a name in ${path || "the value"} has half a surrogate pair`);
    out.push(`${JSON.stringify(name)}:${write(inner, `${path}/${pointerPart(name)}`, depth + 1)}`);
  }
  return `{${out.join(",")}}`;
}

/** Write a value as compact JSON. `depth` is that at which it will stand. Throws JsonError for what
 * is no JSON: it says where, as a JSON Pointer. */
export function writeJson(value: JsonInput, depth = 1): string {
  return write(value, "", depth);
}

/** One step of a JSON Pointer (RFC 6901). */
export function pointerPart(name: string): string {
  return name.replace(/~/g, "~0").replace(/\//g, "~1");
}
