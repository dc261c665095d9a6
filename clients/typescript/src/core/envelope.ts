// The envelope around every message (protocol.md 2.1, 2.2).

import { ProtocolFaultError, UsageError } from "../errors.js";
import { JsonError, parseJson, writeJson } from "./json.js";
import { PROTOCOL_VERSION } from "./types.js";
import { isObject, kindOf, member, type Json, type JsonObject, type JsonObjectInput } from "./values.js";

export type RequestType = "intent_request" | "invoke_request" | "authenticate";
export type AnswerType = "intent_response" | "invoke_response" | "authenticate_response" | "error";

export const ANSWER_OF: { readonly [T in RequestType]: AnswerType } = {
  intent_request: "intent_response",
  invoke_request: "invoke_response",
  authenticate: "authenticate_response",
};

export interface Message {
  readonly type: string;
  readonly id: string | null;
  readonly payload: JsonObject;
  readonly extensions: JsonObject;
}

/** Write a message of the client. Throws UsageError where the payload is no JSON. */
export function encode(
  type: RequestType | "cancel",
  id: string | null,
  payload: JsonObjectInput,
  extensions?: JsonObjectInput,
): string {
  try {
    return writeJson({ type, id, manglecp: PROTOCOL_VERSION, payload, extensions });
  } catch (error) {
    if (error instanceof JsonError) throw new UsageError(`this cannot be sent: ${error.message}`);
    throw error;
  }
}

/** Read a message of the server. Throws ProtocolFaultError with what is wrong. */
export function decode(text: string, sent: boolean): Message {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ProtocolFaultError(`the server sent what is no message: ${error.message}`, { sent });
  }
  const wrong = (what: string): never => {
    throw new ProtocolFaultError(`the server sent what is no message: ${what}`, { sent });
  };
  if (!isObject(value)) return wrong(`${kindOf(value)} in place of an envelope`);
  const envelope = value as JsonObject;
  const type = member(envelope, "type"),
    id = member(envelope, "id") ?? null;
  const version = member(envelope, "manglecp"),
    payload = member(envelope, "payload"),
    extensions = member(envelope, "extensions");
  if (typeof type !== "string") return wrong("an envelope without a type");
  if (typeof version !== "string") return wrong(`${type} without a version`);
  if (version !== PROTOCOL_VERSION)
    return wrong(
      `${type} of the protocol version ${JSON.stringify(version.slice(0, 40))}; this client speaks ${PROTOCOL_VERSION}`,
    );
  if (id !== null && typeof id !== "string") return wrong(`${type} whose id is ${kindOf(id)}`);
  if (!isObject(payload)) return wrong(`${type} without a payload`);
  return {
    type,
    id,
    payload: payload as JsonObject,
    extensions: isObject(extensions) ? (extensions as JsonObject) : {},
  };
}
