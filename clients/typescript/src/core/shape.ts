// Reading objects that a server sent: every fault is collected with its place, unknown members are
// ignored (D-4), null is absence.

import { ProtocolFaultError } from "../errors.js";
import { Float, isObject, kindOf, member, type Json, type JsonObject } from "./values.js";

export class Shape {
  readonly faults: string[] = [];

  fault(path: string, message: string): void {
    if (this.faults.length < 20) this.faults.push(`${path}: ${message}`);
  }

  /** Throws if anything was wrong. `sent`: whether a request went before. */
  check(what: string, sent: boolean): void {
    if (this.faults.length)
      throw new ProtocolFaultError(`the server sent a faulty ${what}: ${this.faults.join("; ")}`, { sent });
  }

  #wrong(path: string, expected: string, value: Json | undefined): undefined {
    this.fault(
      path,
      value === undefined || value === null ? `${expected} is missing` : `${expected} expected, not ${kindOf(value)}`,
    );
    return undefined;
  }

  /** The member, or undefined if it is absent or null. */
  get(of: JsonObject, name: string): Json | undefined {
    return member(of, name) ?? undefined;
  }

  string(of: JsonObject, name: string, path: string): string {
    const value = this.get(of, name);
    return typeof value === "string" ? value : (this.#wrong(`${path}/${name}`, "a text", value), "");
  }

  text(of: JsonObject, name: string, path: string): string {
    const value = this.string(of, name, path);
    if (value === "" && member(of, name) === "") this.fault(`${path}/${name}`, "is empty");
    return value;
  }

  optionalString(of: JsonObject, name: string, path: string): string | undefined {
    return this.get(of, name) === undefined ? undefined : this.string(of, name, path);
  }

  boolean(of: JsonObject, name: string, path: string): boolean {
    const value = this.get(of, name);
    return typeof value === "boolean" ? value : (this.#wrong(`${path}/${name}`, "true or false", value), false);
  }

  optionalBoolean(of: JsonObject, name: string, path: string, otherwise: boolean): boolean {
    return this.get(of, name) === undefined ? otherwise : this.boolean(of, name, path);
  }

  integer(of: JsonObject, name: string, path: string, least: number): number {
    const value = this.get(of, name);
    if (typeof value !== "number" || !Number.isInteger(value)) this.#wrong(`${path}/${name}`, "an integer", value);
    else if (value < least) this.fault(`${path}/${name}`, `is ${value}, and less than ${least}`);
    else return value;
    return least;
  }

  optionalInteger(of: JsonObject, name: string, path: string, least: number): number | undefined {
    return this.get(of, name) === undefined ? undefined : this.integer(of, name, path, least);
  }

  optionalNumber(of: JsonObject, name: string, path: string): number | undefined {
    const value = this.get(of, name);
    if (value === undefined) return undefined;
    if (typeof value === "number" || value instanceof Float) return Number(value);
    return this.#wrong(`${path}/${name}`, "a number", value);
  }

  word<W extends string>(of: JsonObject, name: string, path: string, words: readonly W[]): W {
    const value = this.string(of, name, path);
    if (words.includes(value as W)) return value as W;
    if (value)
      this.fault(`${path}/${name}`, `is ${JSON.stringify(value.slice(0, 40))}, and none of ${words.join(", ")}`);
    return words[0] as W;
  }

  asObject(value: Json | undefined, path: string): JsonObject {
    return isObject(value) ? (value as JsonObject) : (this.#wrong(path, "an object", value), {});
  }

  object(of: JsonObject, name: string, path: string): JsonObject {
    return this.asObject(this.get(of, name), `${path}/${name}`);
  }

  optionalObject(of: JsonObject, name: string, path: string): JsonObject | undefined {
    return this.get(of, name) === undefined ? undefined : this.object(of, name, path);
  }

  array(of: JsonObject, name: string, path: string): Json[] {
    const value = this.get(of, name);
    return Array.isArray(value) ? value : (this.#wrong(`${path}/${name}`, "an array", value), []);
  }

  optionalArray(of: JsonObject, name: string, path: string): Json[] {
    return this.get(of, name) === undefined ? [] : this.array(of, name, path);
  }

  strings(of: JsonObject, name: string, path: string): string[] {
    return this.optionalArray(of, name, path).map((value, i) =>
      typeof value === "string" ? value : (this.#wrong(`${path}/${name}/${i}`, "a text", value), ""),
    );
  }

  requiredStrings(of: JsonObject, name: string, path: string): string[] {
    if (this.get(of, name) === undefined) this.#wrong(`${path}/${name}`, "an array", undefined);
    return this.strings(of, name, path);
  }

  /** Each entry of an optional array of objects. */
  objects<T>(of: JsonObject, name: string, path: string, read: (entry: JsonObject, path: string) => T): T[] {
    return this.optionalArray(of, name, path).map((value, i) =>
      read(this.asObject(value, `${path}/${name}/${i}`), `${path}/${name}/${i}`),
    );
  }
}

/** Leave out what is undefined: with exactOptionalPropertyTypes absence is absence. */
export function compact<T extends object>(object: { [K in keyof T]: T[K] | undefined }): T {
  for (const name of Object.keys(object) as (keyof T)[]) if (object[name] === undefined) delete object[name];
  return object as unknown as T;
}
