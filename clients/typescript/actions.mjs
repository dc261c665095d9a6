// Functions as actions that a MangleCP server runs, in plain JavaScript: nothing has to be built.
//
//     import { action, serve } from "manglecp/actions";
//
//     action({ name: "add", sideEffects: "none", input: { type: "object", properties: { a: { type: "number" } } } },
//       ({ a }) => ({ sum: a + 1 }));
//
//     await serve();
//
// `node FILE --list` shows what there is, `--run AID --arg a=1` runs one, and `--serve` is what a server starts: a
// request a line, one call at a time (docs/actions-in-javascript.md). actions.d.mts says what each thing takes.
import fs from "node:fs";
import net from "node:net";
import path from "node:path";

const MAX_REQUEST_BYTES = 10_485_760; // one line
const MAX_ANSWER_BYTES = 1_048_576; // one line, its end included
const MAX_ERROR_BYTES = 4096;
const MAX_TRACE_BYTES = 4000;
const MAX_CAUSES = 3;
const MAX_PLACES = 8;
const MAX_DETAIL_BYTES = 200;
const MAX_ARTIFACT_BYTES = 1_048_576;
const DELTA_TYPE = "manglecp.state_delta"; // what a server takes facts from
const DELTA_SLOT = 7;
const STATUSES = ["TOOL_ERROR", "INVALID_PICK", "BREAKER_TRIP"];
const CODES = { INVALID_PICK: "invalid_pick", BREAKER_TRIP: "tool_breaker" };
const EXIT_USAGE = 2;
const EXIT_NOT_FOUND = 4;
const EXIT_REQUEST = 5;
const EXIT_STOPPED = 7;

/** The action did not work. The text goes to the log; a client is not told it. */
export class ActionError extends Error {
  constructor(text, { status = "TOOL_ERROR" } = {}) {
    if (!STATUSES.includes(status)) throw new TypeError(`the status of a failure is one of ${STATUSES.join(", ")}`);
    super(text);
    this.name = "ActionError";
    this.status = status;
  }
}

/** The result is not wanted any more. */
export class Cancelled extends Error {
  constructor() {
    super("cancelled");
    this.name = "Cancelled";
  }
}

class Refused extends Error {
  constructor(text, code) {
    super(text);
    this.code = code;
  }
}

const actions = new Map();

/** Make a function an action; it is returned as it was. Throws TypeError for what cannot be one, and says why. */
export function action(about, run) {
  const { name = run?.name, version = 1, ...more } = about;
  if (typeof run !== "function") throw new TypeError("an action is made of what it is and of a function");
  if (typeof name !== "string" || !name || Buffer.byteLength(name) > 64)
    throw new TypeError("an action has a name of 1 to 64 bytes");
  const known = ["name", "version", "aid", "description", "sideEffects", "input", "output", "tags", "deterministic", "idempotent"];
  known.push("reversible", "timeoutMs", "minTier");
  const unknown = Object.keys(more).filter((key) => !known.includes(key));
  if (unknown.length) throw new TypeError(`${name}: ${unknown.join(", ")} is not known; known is ${known.join(", ")}`);
  const aid = about.aid ?? derivedAid(name, version);
  const effects = [about.sideEffects ?? []].flat();
  if (!/^AID\.[A-Z0-9_.-]+\.v[0-9]+$/.test(aid) || aid.length > 128)
    throw new TypeError(`${name}: ${aid} is no AID: AID.<A-Z 0-9 _ - .>.v<number>, 128 bytes at most`);
  if (!effects.length)
    throw new TypeError(`${name}: say what it does: sideEffects: "none", or for example "filesystem_read"`);
  if (!effects.every((effect) => typeof effect === "string" && /^[a-z][a-z0-9_:-]*$/.test(effect)))
    throw new TypeError(`${name}: side effects are words like filesystem_read`);
  if (effects.includes("none") && effects.length > 1)
    throw new TypeError(`${name}: the side effects are "none", or others, not both`);
  for (const [what, schema] of [["input", about.input], ["output", about.output]])
    if (schema !== undefined && !isObject(schema)) throw new TypeError(`${name}: ${what} is a JSON Schema, an object`);
  if (actions.has(aid)) throw new TypeError(`${name}: there is an action ${aid} already`);
  const entry = {
    aid,
    name,
    description: about.description ?? "",
    deterministic: about.deterministic ?? false,
    idempotent: about.idempotent ?? false,
    reversible: about.reversible ?? false,
    tags: about.tags ?? [],
    side_effects: effects,
    replay_inputs: [],
    timeout_ms: about.timeoutMs ?? 0,
    input_schema: about.input ?? { type: "object" },
    output_schema: about.output ?? null,
    ...(about.minTier === undefined ? {} : { tier: about.minTier }),
  };
  actions.set(aid, { entry, run, check: compile(entry.input_schema, name) });
  return run;
}

function derivedAid(name, version) {
  const file = path.basename(process.argv[1] ?? "actions").replace(/\.[^.]*$/, "");
  const words = [file, name].map((word) => word.toUpperCase().replace(/[^A-Z0-9_]/g, "_"));
  return `AID.${words.join(".")}.v${version}`;
}

// ---- inputs -----------------------------------------------------------------------------------------
// The keywords that say what a value is, compiled once. Others of JSON Schema are the server's to check.

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const TYPES = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};
const LIMITS = {
  minimum: ["number", (value, limit) => value >= limit, "be at least"],
  maximum: ["number", (value, limit) => value <= limit, "be at most"],
  exclusiveMinimum: ["number", (value, limit) => value > limit, "be more than"],
  exclusiveMaximum: ["number", (value, limit) => value < limit, "be less than"],
  minLength: ["string", (value, limit) => [...value].length >= limit, "have a length of at least"],
  maxLength: ["string", (value, limit) => [...value].length <= limit, "have a length of at most"],
  minItems: ["array", (value, limit) => value.length >= limit, "have as many items as"],
  maxItems: ["array", (value, limit) => value.length <= limit, "have no more items than"],
};

function shown(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

const escaped = (name) => name.replace(/~/g, "~0").replace(/\//g, "~1").slice(0, 100);

/** (value, where, faults): adds what is wrong to `faults`. */
function compile(schema, name, depth = 0) {
  if (depth > 64) throw new TypeError(`${name}: the schema is nested too deeply`);
  if (!isObject(schema)) return schema === false ? (v, at, faults) => faults.push(`${at}: cannot be`) : () => {};
  const checks = [];
  const add = (fits, says) =>
    checks.push((value, at, faults) => fits(value) || faults.push(`${at || "/"}: must ${says}, not ${shown(value)}`));
  if (schema.type !== undefined) {
    const types = [schema.type].flat();
    const wrong = types.find((type) => !Object.hasOwn(TYPES, type));
    if (wrong !== undefined) throw new TypeError(`${name}: there is no type ${shown(wrong)}`);
    add((value) => types.some((type) => TYPES[type](value)), `be ${types.join(" or ")}`);
  }
  const same = (value) => (other) => JSON.stringify(value) === JSON.stringify(other);
  if (Array.isArray(schema.enum))
    add((value) => schema.enum.some(same(value)), `be one of ${schema.enum.map(shown).join(", ")}`);
  if ("const" in schema) add(same(schema.const), `be ${shown(schema.const)}`);
  for (const [keyword, [type, fits, says]] of Object.entries(LIMITS))
    if (typeof schema[keyword] === "number")
      add((value) => !TYPES[type](value) || fits(value, schema[keyword]), `${says} ${schema[keyword]}`);
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, "u");
    add((value) => typeof value !== "string" || pattern.test(value), `match ${schema.pattern}`);
  }
  if (schema.items !== undefined) {
    const item = compile(schema.items, name, depth + 1);
    checks.push((value, at, faults) => {
      if (Array.isArray(value)) value.forEach((one, index) => item(one, `${at}/${index}`, faults));
    });
  }
  if (Array.isArray(schema.anyOf)) {
    const any = schema.anyOf.map((one) => compile(one, name, depth + 1));
    const fits = (value) => any.some((check) => {
      const found = [];
      check(value, "", found);
      return found.length === 0;
    });
    add(fits, "fit one of its schemas");
  }
  if (schema.properties || schema.required || schema.additionalProperties !== undefined)
    checks.push(compileMembers(schema, name, depth));
  return (value, at, faults) => {
    for (const check of checks) check(value, at, faults);
  };
}

function compileMembers(schema, name, depth) {
  const members = new Map(Object.entries(schema.properties ?? {}).map(([k, one]) => [k, compile(one, name, depth + 1)]));
  const required = schema.required ?? [];
  const others = schema.additionalProperties;
  const other = isObject(others) ? compile(others, name, depth + 1) : undefined;
  return (value, at, faults) => {
    if (!isObject(value)) return;
    for (const key of required) if (!Object.hasOwn(value, key)) faults.push(`${at}/${escaped(key)}: is missing`);
    for (const [key, one] of Object.entries(value)) {
      const check = members.get(key) ?? other;
      if (check) check(one, `${at}/${escaped(key)}`, faults);
      else if (others === false) faults.push(`${at}/${escaped(key)}: is not known`);
    }
  };
}

// ---- a call -----------------------------------------------------------------------------------------

function cut(text, limit) {
  const bytes = Buffer.from(String(text), "utf8");
  return bytes.length <= limit ? bytes.toString() : new TextDecoder().decode(bytes.subarray(0, limit)).replace(/�+$/, "");
}

/** The working state of a run: slots 0 to 7. What changes counts when the action returns. */
class State {
  #slots = new Map();
  #changed = new Map();
  constructor(slots = {}) {
    for (const [slot, artifact] of Object.entries(slots)) this.#slots.set(Number(slot), artifact);
  }
  get(slot) {
    const held = this.#slots.get(slot);
    if (!held) return undefined;
    const { type = "", provenance = "", content_json: text = "" } = held;
    return { type, provenance, content: text === "" ? undefined : JSON.parse(text) };
  }
  set(slot, { type, content, provenance = "" }) {
    if (!Number.isInteger(slot) || slot < 0 || slot > 7) throw new RangeError(`the slots are 0 to 7, not ${slot}`);
    for (const [what, text, limit, forbidden] of [["type", type, 128, /[:|\p{Cc}\p{Surrogate}]/u], ["provenance", provenance, 256, /[|\p{Cc}\p{Surrogate}]/u]])
      if (typeof text !== "string" || Buffer.byteLength(text) > limit || forbidden.test(text))
        throw new TypeError(`the ${what} of an artifact is a text of at most ${limit} bytes, without : and | and control characters`);
    const content_json = JSON.stringify(content, said);
    if (content_json === undefined) throw new TypeError(`slot ${slot}: JSON has no ${typeof content}`);
    const size_bytes = Buffer.byteLength(content_json);
    if (size_bytes > MAX_ARTIFACT_BYTES)
      throw new RangeError(`slot ${slot}: ${size_bytes} bytes are more than the ${MAX_ARTIFACT_BYTES} that it can hold`);
    const artifact = { type, provenance, content_json, size_bytes };
    this.#slots.set(slot, artifact);
    this.#changed.set(slot, artifact);
  }
  delete(slot) {
    if (this.#slots.delete(slot)) this.#changed.set(slot, undefined);
  }
  keys() {
    return [...this.#slots.keys()].sort();
  }
  get delta() {
    const changed = [...this.#changed].sort(([a], [b]) => a - b);
    return {
      delta: true,
      slots: Object.fromEntries(changed.filter(([, artifact]) => artifact)),
      removed_slots: changed.filter(([, artifact]) => !artifact).map(([slot]) => slot),
    };
  }
}

class Call {
  #abort = new AbortController();
  #tell;
  #deadline;
  constructor(request, tell) {
    this.requestId = request.request_id ?? "";
    this.state = new State(request.ds_state?.slots);
    this.#tell = request.progress === true ? tell : undefined;
    this.#deadline = typeof request.timeout_ms === "number" ? performance.now() + request.timeout_ms : undefined;
  }
  get signal() {
    return this.#abort.signal;
  }
  cancel() {
    this.#abort.abort(new Cancelled());
  }
  remainingMs() {
    return this.#deadline === undefined ? undefined : Math.floor(this.#deadline - performance.now());
  }
  progress(percent, detail = "") {
    this.signal.throwIfAborted();
    if (!this.#tell) return;
    const known = typeof percent === "number" && Number.isFinite(percent);
    this.#tell({
      event: "progress",
      request_id: this.requestId,
      ...(known ? { percent: Math.min(Math.max(percent, 0), 100) } : {}),
      detail: cut(detail, MAX_DETAIL_BYTES),
    });
  }
  changeFacts({ assert = [], retract = [], category = "session" }) {
    const added = assert.map((one, i) => fact({ category, ...one }, `assert[${i}]`, true));
    const gone = retract.map((one, i) => fact({ ...one }, `retract[${i}]`, false));
    const slot = this.state.keys().find((key) => this.state.get(key).type === DELTA_TYPE) ?? DELTA_SLOT;
    const before = this.state.get(slot)?.type === DELTA_TYPE ? this.state.get(slot).content : {};
    const content = { assert: [...(before.assert ?? []), ...added], retract: [...(before.retract ?? []), ...gone] };
    this.state.set(slot, { type: DELTA_TYPE, content, provenance: "manglecp.actions" });
  }
  close() {
    this.#tell = undefined;
  }
}

function fact(one, where, asserted) {
  const faults = [];
  if (typeof one.pred !== "string" || !one.pred) faults.push("it has no predicate (pred)");
  if ("args" in one === "named_args" in one) faults.push("it has to have either args or named_args");
  if (asserted && !["server", "session", "derived"].includes(one.category))
    faults.push("its category has to be one of server, session, derived");
  if (faults.length) throw new TypeError(`${where} is no fact: ${faults.join("; ")}`);
  return one;
}

function failed(status, error, code) {
  return {
    ok: false,
    status,
    output_json: "{}",
    error: cut(error, MAX_ERROR_BYTES) || "tool failed without a message",
    code: code ?? CODES[status] ?? "tool_error",
    ds_state: { delta: true, slots: {}, removed_slots: [] },
  };
}

const HALF = /\p{Surrogate}/u; // of a pair that is none

/** What JSON.stringify would make null, or a text that no other program reads, is refused. */
const said = (name, value) => {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  if (HALF.test(name) || (typeof value === "string" && HALF.test(value)))
    throw new TypeError("JSON has no half characters (lone surrogates)");
  return value;
};

/** An output is an object: what is none, or is none in JSON as a Date, becomes its member `result`. */
function outputText(value) {
  if (value === undefined || value === null) return "{}";
  if (typeof value === "function" || typeof value === "symbol") throw new TypeError(`JSON has no ${typeof value}`);
  const text = isObject(value) ? JSON.stringify(value, said) : undefined;
  return text?.startsWith("{") ? text : JSON.stringify({ result: value }, said);
}

class Runner {
  #tell;
  #call;
  ending = false;
  constructor(tell) {
    this.#tell = tell;
    process.on("SIGINT", () => this.#call?.cancel());
    process.on("SIGTERM", () => {
      this.ending = true;
      if (this.#call) this.#call.cancel();
      else process.exit(0);
    });
  }
  /** For one request. Whatever happens, there is an answer. */
  async answer(bytes, wanted) {
    let request = {};
    let made;
    try {
      request = readRequest(bytes);
      made = await this.#perform(find(request, wanted), request);
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      made = { ok: false, error: cut(refused.message, MAX_ERROR_BYTES), code: refused.code };
    }
    if (typeof request.request_id === "string") made.request_id = request.request_id;
    else {
      delete made.code;
      delete made.trace;
    }
    return made;
  }
  async #perform(found, request) {
    const inputs = readInputs(request);
    const faults = [];
    found.check(inputs, "", faults);
    if (faults.length) return failed("TOOL_ERROR", `invalid input: ${faults.slice(0, 20).join("; ")}`);
    const call = (this.#call = new Call(request, this.#tell));
    try {
      const output_json = outputText(await found.run(inputs, call));
      return { ok: true, status: "OK", output_json, error: "", ds_state: call.state.delta };
    } catch (wrong) {
      return failure(wrong, call.signal);
    } finally {
      this.#call = undefined;
      call.close();
    }
  }
}

function failure(wrong, signal) {
  try {
    return failureOf(wrong, signal);
  } catch {
    return failed("TOOL_ERROR", "it threw what cannot say what is wrong");
  }
}

function failureOf(wrong, signal) {
  if (wrong instanceof ActionError) return failed(wrong.status, wrong.message);
  if (wrong instanceof Cancelled || (signal.aborted && wrong?.name === "AbortError"))
    return failed("TOOL_ERROR", "cancelled", "cancelled");
  console.error(wrong);
  if (!(wrong instanceof Error)) return failed("TOOL_ERROR", String(wrong));
  return { ...failed("TOOL_ERROR", `${wrong.name}: ${wrong.message}`), trace: traceOf(wrong) };
}

/** Where it was thrown, and what led to it, for the server's log: places alone. What was said of it is not in there, for
 *  that may hold what nobody may log; the error has it, and the server masks it. */
function traceOf(wrong) {
  const lines = [];
  for (let at = wrong, i = 0; at instanceof Error && i < MAX_CAUSES; at = at.cause, i++) {
    const message = String(at.message);
    let stack = String(at.stack);
    const head = stack.indexOf(message);
    if (head >= 0) stack = stack.slice(head + message.length); // its own lines could look like places
    const places = stack.split("\n").filter((place) => /^ {4}at /.test(place) && !place.includes(import.meta.url));
    lines.push(`${i ? "caused by " : ""}${at.constructor?.name || "Error"} at`, ...places.slice(0, MAX_PLACES));
  }
  return cut(lines.join("\n"), MAX_TRACE_BYTES);
}

// ---- requests ---------------------------------------------------------------------------------------
// The toolhost has read them strictly before. JSON.parse takes the last of two equal names, and numbers as doubles.

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readRequest(bytes) {
  let request;
  try {
    request = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Refused("invalid JSON", "bad_json");
  }
  if (!isObject(request)) throw new Refused("request must be a JSON object", "bad_request");
  for (const [name, type] of [["request_id", "string"], ["timeout_ms", "integer"], ["progress", "boolean"]])
    if (request[name] !== undefined && request[name] !== null && !TYPES[type](request[name]))
      throw new Refused(`invalid ${name}: must be ${type}`, "bad_request");
  const state = request.ds_state ?? undefined;
  if (state !== undefined && !(isObject(state) && isObject(state.slots ?? {})))
    throw new Refused("invalid ds_state: not an object", "bad_state");
  for (const [slot, artifact] of Object.entries(state?.slots ?? {}))
    if (!/^[0-7]$/.test(slot) || !isObject(artifact)) throw new Refused(`invalid ds_state: slot ${slot}`, "bad_state");
  return request;
}

function find(request, wanted) {
  const aid = wanted ?? request.aid;
  if (wanted !== undefined && typeof request.aid === "string" && request.aid !== wanted)
    throw new Refused("aid mismatch", "bad_request");
  if (typeof aid !== "string" || !aid) throw new Refused("missing aid", "missing_aid");
  const found = actions.get(aid);
  if (!found) throw new Refused(`tool not found: ${aid}`, "not_found");
  return found;
}

function readInputs({ inputs, input_json: text }) {
  if (text !== undefined && text !== null) {
    if (inputs !== undefined && inputs !== null) throw new Refused("give inputs or input_json, not both", "input_conflict");
    if (typeof text !== "string") throw new Refused("invalid input_json: must be a text", "bad_input");
    try {
      inputs = text.trim() ? JSON.parse(text) : {};
    } catch (wrong) {
      throw new Refused(`invalid input_json: ${wrong.message}`, "bad_input");
    }
  }
  inputs ??= {};
  if (!isObject(inputs)) throw new Refused("invalid inputs: not an object", "bad_input");
  return inputs;
}

// ---- the program --------------------------------------------------------------------------------------

function line(answer) {
  const text = Buffer.from(`${JSON.stringify(answer)}\n`, "utf8");
  if (text.length <= MAX_ANSWER_BYTES) return text;
  const output = Buffer.byteLength(answer.output_json ?? "");
  const [what, size] = output > MAX_ANSWER_BYTES ? ["tool output", output] : ["response", text.length];
  const smaller = failed("TOOL_ERROR", `${what} too large: ${size} bytes (limit ${MAX_ANSWER_BYTES})`, "too_large");
  if (answer.request_id !== undefined) smaller.request_id = answer.request_id;
  return Buffer.from(`${JSON.stringify(smaller)}\n`, "utf8");
}

function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (wrong) {
      if (wrong.code === "EPIPE") process.exit(1); // nobody reads any more
      if (wrong.code !== "EAGAIN") throw wrong;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // the pipe is full: a moment
    }
  }
}

/** A descriptor for answers alone; what is printed goes to standard error from now on. */
function ownOutput() {
  process.stdout.write = process.stderr.write.bind(process.stderr);
  try {
    const ours = fs.openSync("/proc/self/fd/1", "w");
    fs.closeSync(1);
    fs.openSync("/proc/self/fd/2", "w"); // becomes 1, the lowest that is free: programs that are started get it, too
    return ours;
  } catch {
    return 1; // no such files here: what is printed goes elsewhere all the same
  }
}

/** The requests, from a descriptor that no program gets which is started; standard input is empty from now on. */
function ownInput() {
  try {
    if (!fs.fstatSync(0).isFIFO()) return process.stdin;
    const ours = fs.openSync("/proc/self/fd/0", "r");
    fs.closeSync(fs.openSync("/dev/null", "r"));
    fs.closeSync(0);
    fs.openSync("/dev/null", "r"); // becomes 0
    return new net.Socket({ fd: ours, readable: true, writable: false });
  } catch {
    return process.stdin; // no such files here
  }
}

/** The lines of `input`; undefined for one that is too long. */
async function* lines(input) {
  let parts = [];
  let size = 0;
  let skipping = false;
  const take = () => {
    const whole = skipping ? undefined : Buffer.concat(parts);
    parts = [];
    size = 0;
    skipping = false;
    return whole;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end; (end = chunk.indexOf(10, from)) >= 0; from = end + 1) {
      parts.push(chunk.subarray(from, end));
      size += end - from;
      skipping ||= size > MAX_REQUEST_BYTES;
      yield take();
    }
    size += chunk.length - from;
    if (size > MAX_REQUEST_BYTES) {
      skipping = true;
      parts = [];
    } else {
      parts.push(chunk.subarray(from));
    }
  }
  if (size) yield take();
}

async function serveLines() {
  const input = ownInput();
  const out = ownOutput();
  const runner = new Runner((event) => writeAll(out, Buffer.from(`${JSON.stringify(event)}\n`)));
  for await (const one of lines(input)) {
    if (one === undefined) {
      writeAll(out, Buffer.from('{"ok":false,"error":"request exceeds 10MB limit"}\n'));
      continue;
    }
    if (one.length === 0 || (one.length === 1 && one[0] === 13)) break;
    writeAll(out, line(await runner.answer(one)));
    if (runner.ending) break;
  }
  return 0;
}

async function runOne(aid, words) {
  if (!actions.has(aid)) {
    writeAll(1, line({ ok: false, error: cut(`tool not found: ${aid}`, MAX_ERROR_BYTES) }));
    return EXIT_NOT_FOUND;
  }
  const given = words.length ? Buffer.from(JSON.stringify({ inputs: readArguments(words) })) : fs.readFileSync(0);
  const out = ownOutput();
  if (given.length > MAX_REQUEST_BYTES) {
    writeAll(out, Buffer.from('{"ok":false,"error":"stdin exceeds 10MB limit"}\n'));
    return EXIT_REQUEST;
  }
  const answer = await new Runner((event) => console.error(event)).answer(given, aid);
  writeAll(out, line(answer));
  if (answer.status === undefined) return EXIT_REQUEST;
  return answer.error === "cancelled" ? EXIT_STOPPED : 0;
}

/** --arg NAME=VALUE...: a value that is JSON counts as that, any other as text. */
function readArguments(words) {
  const found = {};
  for (let i = 0; i < words.length; i += 2) {
    const at = (words[i + 1] ?? "").indexOf("=");
    if (words[i] !== "--arg" || at < 1) {
      console.error(`${words[i]}: arguments are written --arg NAME=VALUE`);
      process.exit(EXIT_USAGE);
    }
    const text = words[i + 1].slice(at + 1);
    try {
      found[words[i + 1].slice(0, at)] = JSON.parse(text);
    } catch {
      found[words[i + 1].slice(0, at)] = text;
    }
  }
  return found;
}

/** What the file's last line calls: does what the command line says, and ends the program. */
export async function serve(words = process.argv.slice(2)) {
  let code = EXIT_USAGE;
  if (words.length === 1 && words[0] === "--list") {
    const tools = [...actions.values()].map((one) => one.entry).sort((a, b) => (a.aid < b.aid ? -1 : 1));
    writeAll(1, Buffer.from(`${JSON.stringify({ ok: true, tools })}\n`));
    code = 0;
  } else if (words.length === 1 && words[0] === "--serve") {
    code = await serveLines();
  } else if (words[0] === "--run" && words.length >= 2) {
    code = await runOne(words[1], words.slice(2));
  } else {
    const file = path.basename(process.argv[1] ?? "actions.mjs");
    console.error(`usage: node ${file} --list                          what there is`);
    console.error(`       node ${file} --run AID [--arg NAME=VALUE]... run one; without --arg the request is read`);
    console.error(`       node ${file} --serve                         a request per line, as a server sends them`);
  }
  process.exit(code);
}
