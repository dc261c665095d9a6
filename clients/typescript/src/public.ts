// What both entries of the package export.

export { Client } from "./client.js";
export { Evaluation, Outcome } from "./results.js";
export type { ConnectOptions } from "./connect.js";
export type { Token } from "./channel.js";
export type { ConsentRequest } from "./core/invocation.js";
export type { WireTime } from "./core/time.js";
export * from "./core/types.js";
export { Float, float } from "./core/values.js";
export { resourceUrl } from "./core/resources.js";
export { signChallenge } from "./core/confirm.js";
export * from "./errors.js";
export { fact, WorkingFacts, type ArgNames } from "./facts.js";
export type { ClientOptions, EvaluateOptions, InvokeOptions, RequestOptions } from "./options.js";
export { validate, type SchemaError } from "./schema.js";
