// Actions for the tests of hosts in Node.
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ActionError, action, serve } from "../actions.mjs";

const object = (properties, required = []) => ({ type: "object", properties, required, additionalProperties: false });

export const add = action(
  {
    name: "add",
    description: "Adds two numbers.",
    sideEffects: "none",
    deterministic: true,
    idempotent: true,
    tags: ["sum"],
    input: object({ a: { type: "integer", minimum: 0 }, b: { type: "integer" } }, ["a"]),
    output: object({ sum: { type: "integer" } }, ["sum"]),
  },
  ({ a, b = 1 }) => ({ sum: a + b }),
);
action({ name: "echo", sideEffects: "none", timeoutMs: 700, minTier: 1, reversible: true }, (inputs) => inputs);
action({ name: "sleeps", sideEffects: "none", input: object({ ms: { type: "number" } }) }, async ({ ms }, call) => {
  await sleep(ms, undefined, { signal: call.signal });
  return "slept";
});
action({ name: "deaf", sideEffects: "none" }, async ({ ms }) => {
  await sleep(ms);
});
action({ name: "counts", sideEffects: "none" }, async ({ to }, call) => {
  for (let i = 0; i < to; i++) call.progress((100 * i) / to, `step ${i} ${"é".repeat(300)}`);
  call.progress(undefined, "done");
  return to;
});
action({ name: "raises", sideEffects: "none" }, ({ what }) => {
  if (what === "action") throw new ActionError("no such order");
  if (what === "pick") throw new ActionError("wrong one", { status: "INVALID_PICK" });
  if (what === "text") throw "a text";
  if (what === "cause") {
    const secret = Buffer.from("733363723374", "hex");
    throw new TypeError(`it is ${secret}\n    at ${secret} (${secret}:1:1)`, { cause: new RangeError(`${secret}`) });
  }
  throw new RangeError(what);
});
action({ name: "returns", sideEffects: "none" }, ({ what }) =>
  ({ none: undefined, list: [1, [2]], nan: NaN, big: 10n, function: () => {}, text: "é" })[what],
);
action({ name: "prints", sideEffects: "process_spawn" }, () => {
  console.log('{"ok":true}');
  process.stdout.write("raw\n");
  execFileSync("sh", ["-c", "echo from a child"], { stdio: "inherit" });
});
action({ name: "blob", sideEffects: "none" }, ({ count, char = "x" }) => char.repeat(count));
action({ name: "keeps", sideEffects: "none" }, ({ slot = 0, value, drop = false, fail = false }, { state }) => {
  const before = Object.fromEntries(state.keys().map((key) => [key, state.get(key).content]));
  if (drop) state.delete(slot);
  else if (value !== undefined) state.set(slot, { type: "test", content: value, provenance: "node" });
  if (fail) throw new ActionError("after writing");
  return before;
});
action({ name: "learns", sideEffects: "none" }, ({ n }, call) => {
  call.changeFacts({ assert: [{ pred: "seen", args: [n] }], retract: [{ pred: "seen", args: [null] }] });
});
action({ name: "checks", sideEffects: "none", input: object({
  text: { type: "string", maxLength: 3, pattern: "^a" },
  list: { type: "array", items: { type: "integer", maximum: 5 } },
  kind: { enum: ["x", 2] },
  table: { type: "object", additionalProperties: { type: "boolean" } },
  either: { anyOf: [{ type: "null" }, { type: "string" }] },
}) }, (inputs) => inputs);
action({ name: "throws_late", sideEffects: "none" }, () => {
  setTimeout(() => {
    throw new Error("too late to be caught");
  }, 10);
  return sleep(1000);
});

const mute = { get: () => { throw new Error("no words"); }, getPrototypeOf: () => { throw new Error("no words"); } };
const values = {
  half: () => "\ud800",
  half_key: () => ({ "\udc00": 1 }),
  whole: () => "\u{1f600}\\ud800",
  date: () => new Date(0),
  undefined: () => ({ toJSON: () => undefined }),
  bare: () => { throw Object.create(null); },
  symbol: () => { throw Object.assign(new Error("x"), { message: Symbol("x") }); },
  proxy: () => { throw new Proxy({}, mute); },
};
action({ name: "odd", sideEffects: "none" }, ({ what }) => values[what]());
action({ name: "reads", sideEffects: "process_spawn" }, () => execFileSync("cat", { stdio: ["inherit", "pipe", "inherit"], encoding: "utf8" }));

await serve();
