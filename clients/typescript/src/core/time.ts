// Instants as the wire writes them (protocol.md 2.3, D-21 to D-23), as nanoseconds since 1970 UTC.

import { Float, fitsInt64, isObject, unwrapInt64, type JsonInput } from "./values.js";

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const NS_PER_MS = 1_000_000n;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

/** Nanoseconds since 1970, or undefined: no such instant, no offset, or outside of int64. */
export function parseInstant(text: string): bigint | undefined {
  const found = RFC3339.exec(text);
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const sign = found[8] === "-" ? -1 : 1;
  const offset = sign * (Number(found[9] ?? 0) * 60 + Number(found[10] ?? 0));
  if (day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 60) return undefined;
  if (Number(found[9] ?? 0) > 23 || Number(found[10] ?? 0) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const minutes = BigInt(date.getTime() / 60_000) + BigInt(hour * 60 + minute - offset);
  /* A leap second is at 23:59:60 UTC only, and means the first instant of the next day. */
  if (second === 60 && ((minutes % 1440n) + 1440n) % 1440n !== 1439n) return undefined;
  const ms = (minutes * 60n + BigInt(second)) * 1000n;
  const ns = ms * NS_PER_MS + BigInt((found[7] ?? "").slice(0, 9).padEnd(9, "0"));
  return fitsInt64(ns) ? ns : undefined;
}

export function instantOfMs(ms: number): bigint {
  return BigInt(Math.trunc(ms)) * NS_PER_MS;
}

/** UTC with `Z`, to the millisecond. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** A time as it stands in a message. */
export type WireTime = string | number | bigint | { readonly nanos: number | bigint };

export type ReadTime =
  | { readonly kind: "instant"; readonly ns: bigint }
  | { readonly kind: "now" }
  | { readonly kind: "open" }
  | { readonly kind: "wrong"; readonly issue: "invalid_time" | "unsupported_time_format"; readonly message: string };

function wrong(message: string, issue: "invalid_time" | "unsupported_time_format" = "invalid_time"): ReadTime {
  return { kind: "wrong", issue, message };
}

function nanosOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return fitsInt64(value) ? value : undefined;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  const exact = isObject(value) ? unwrapInt64(value) : undefined;
  return exact === undefined ? undefined : BigInt(exact);
}

/** Read a time. `formats` are those that the manifest announces; undefined: all three. */
export function readTime(value: JsonInput | undefined, formats?: readonly string[]): ReadTime {
  const announced = (format: string): boolean => formats === undefined || formats.includes(format);
  if (typeof value === "string") {
    if (value === "now") return { kind: "now" };
    if (value === "_") return { kind: "open" };
    const ns = parseInstant(value);
    return ns === undefined
      ? wrong(`${JSON.stringify(value.slice(0, 60))} is no RFC 3339 date-time with an offset in the years 1678 to 2261`)
      : { kind: "instant", ns };
  }
  if (value instanceof Float || (typeof value === "number" && !Number.isSafeInteger(value)))
    return wrong("a number as a time is a whole number of milliseconds");
  if (typeof value === "number" || typeof value === "bigint") {
    if (!announced("epoch_ms"))
      return wrong("the server takes no milliseconds (epoch_ms); write RFC 3339", "unsupported_time_format");
    const ns = BigInt(value) * NS_PER_MS;
    return fitsInt64(ns) ? { kind: "instant", ns } : wrong(`${value} ms is outside of the years 1678 to 2261`);
  }
  if (isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, "nanos")) {
    if (!announced("epoch_ns"))
      return wrong("the server takes no nanoseconds (epoch_ns); write RFC 3339", "unsupported_time_format");
    const ns = nanosOf(value["nanos"]);
    return ns === undefined ? wrong("nanos is no 64-bit integer") : { kind: "instant", ns };
  }
  return wrong('a time is an RFC 3339 text, "now", or "_" for no bound');
}

/** The annotation of a fact as a text that is the same for equal intervals: spelling does not count,
 * a point is an interval, and two open ends are no annotation (D-22, P-TIME-10). */
export function canonicalWindow(t: { readonly [name: string]: unknown } | null | undefined): string {
  if (t === null || t === undefined) return "";
  const one = (value: unknown): string => {
    const time = readTime(value as JsonInput);
    if (time.kind === "instant") return String(time.ns);
    return time.kind === "open"
      ? "_"
      : time.kind === "now"
        ? "now"
        : `?${JSON.stringify(value, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v))}`;
  };
  if (Object.hasOwn(t, "at")) return `${one(t["at"])}..${one(t["at"])}`;
  const window = `${one(t["start"])}..${one(t["end"])}`;
  return window === "_.._" ? "" : window;
}
