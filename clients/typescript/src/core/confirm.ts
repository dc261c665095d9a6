// Answering a challenge with the host program's confirmation key (D-45): the challenge, a point, and
// its HMAC-SHA256 in base64url. The key belongs to the program that asked the user, and never
// into the reach of a model.

import { UsageError } from "../errors.js";

export const MIN_KEY_BYTES = 16;

/** The form in which a server's token file has it: base64url of 16 bytes or more. */
export function readKey(key: string | Uint8Array): Uint8Array {
  const bytes = typeof key === "string" ? fromBase64url(key) : key;
  if (!bytes || bytes.length < MIN_KEY_BYTES)
    throw new UsageError(`a confirmation key is base64url of ${MIN_KEY_BYTES} bytes or more, or these bytes`);
  return bytes;
}

function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

export function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

/** The token that answers `challenge`. WebCrypto does the work: in browsers that needs a secure
 * context (https, or localhost). */
export async function signChallenge(challenge: string, key: string | Uint8Array): Promise<string> {
  const bytes = readKey(key);
  const subtle = globalThis.crypto?.subtle;
  if (!subtle)
    throw new UsageError("this page is no secure context: confirmation needs WebCrypto, so serve it over https");
  const hmac = await subtle.importKey("raw", new Uint8Array(bytes), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const tag = await subtle.sign("HMAC", hmac, new TextEncoder().encode(challenge));
  return `${challenge}.${toBase64url(new Uint8Array(tag))}`;
}

const KEY_CHARACTERS = /^[A-Za-z0-9._:-]{1,128}$/;

/** A fresh idempotency key: 128 random bits. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

export function isIdempotencyKey(key: string): boolean {
  return KEY_CHARACTERS.test(key);
}
