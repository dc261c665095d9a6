// manglecp/actions: what a program says of itself, and the program spoken to line by line.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ActionError, action } from "../actions.mjs";

const program = join(dirname(fileURLToPath(import.meta.url)), "actions_program.mjs");
const aid = (name) => `AID.ACTIONS_PROGRAM.${name.toUpperCase()}.v1`;
const noChange = { delta: true, slots: {}, removed_slots: [] };
const ran = (words, input = "") => spawnSync(process.execPath, [program, ...words], { input, encoding: "utf8", timeout: 30_000 });

class Host {
  #lines = [];
  #waiting = [];
  errors = "";
  constructor() {
    this.process = spawn(process.execPath, [program, "--serve"], { stdio: "pipe" });
    this.ended = new Promise((resolve) => this.process.on("close", (code) => resolve(code)));
    this.process.stderr.on("data", (text) => (this.errors += text));
    let rest = "";
    this.process.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const one of lines) (this.#waiting.shift() ?? ((line) => this.#lines.push(line)))(one);
    });
  }
  send(text) {
    this.process.stdin.write(`${text}\n`);
  }
  async line() {
    const found = this.#lines.shift() ?? (await Promise.race([
      new Promise((resolve) => this.#waiting.push(resolve)),
      sleep(20_000, undefined, { ref: false }).then(() => assert.fail(`no answer; ${this.errors}`)),
    ]));
    return JSON.parse(found);
  }
  call(name, inputs = {}, more = {}) {
    this.send(JSON.stringify({ aid: aid(name), inputs, ...more }));
    return this.line();
  }
}

function with_host(name, run) {
  test(name, async () => {
    const host = new Host();
    try {
      await run(host);
      host.process.stdin.end();
      assert.equal(await Promise.race([host.ended, sleep(10_000, "it does not end", { ref: false })]), 0);
    } finally {
      host.process.kill("SIGKILL");
    }
  });
}

function output(answer) {
  assert.deepEqual([answer.ok, answer.status, answer.error], [true, "OK", ""], JSON.stringify(answer));
  return JSON.parse(answer.output_json);
}

function fails(answer, text, status = "TOOL_ERROR") {
  assert.deepEqual([answer.ok, answer.status, answer.output_json], [false, status, "{}"], JSON.stringify(answer));
  assert.ok(answer.error.includes(text), `${text} is not in ${answer.error}`);
  assert.deepEqual(answer.ds_state, noChange);
}

test("the list is the toolhost's", () => {
  const { stdout, status } = ran(["--list"]);
  assert.equal(status, 0);
  const { ok, tools } = JSON.parse(stdout);
  assert.ok(ok && stdout.endsWith("\n") && stdout.indexOf("\n") === stdout.length - 1);
  assert.deepEqual(tools.map((t) => t.aid), tools.map((t) => t.aid).sort());
  const found = Object.fromEntries(tools.map((t) => [t.name, t]));
  const { input_schema, output_schema, ...rest } = found.add;
  assert.deepEqual(rest, {
    aid: aid("add"), name: "add", description: "Adds two numbers.", deterministic: true, idempotent: true,
    reversible: false, tags: ["sum"], side_effects: ["none"], replay_inputs: [], timeout_ms: 0,
  });
  assert.deepEqual([input_schema.required, output_schema.required], [["a"], ["sum"]]);
  assert.deepEqual([found.echo.timeout_ms, found.echo.tier, found.echo.reversible], [700, 1, true]);
});

test("what cannot be an action says why when it is defined", () => {
  const refuses = (about, pattern) => assert.throws(() => action(about, () => {}), pattern);
  refuses({ name: "f" }, /say what it does/);
  refuses({ name: "f", sideEffects: ["none", "network_io"] }, /not both/);
  refuses({ name: "f", sideEffects: "Network IO" }, /words like/);
  refuses({ name: "", sideEffects: "none" }, /1 to 64 bytes/);
  refuses({ name: "f", sideEffects: "none", aid: "f" }, /is no AID/);
  refuses({ name: "f", sideEffects: "none", input: [] }, /JSON Schema/);
  refuses({ name: "f", sideEffects: "none", input: { type: "text" } }, /no type "text"/);
  refuses({ name: "f", sideEffects: "none", sideEffect: "none" }, /sideEffect is not known/);
  assert.throws(() => action({ name: "f", sideEffects: "none" }), /function/);
  const f = () => 1;
  assert.equal(action({ name: "f", sideEffects: "none", aid: "AID.F.v1" }, f), f);
  refuses({ name: "g", sideEffects: "none", aid: "AID.F.v1" }, /already/);
  assert.throws(() => new ActionError("x", { status: "OK" }), /one of/);
});

with_host("actions are called and answer", async (h) => {
  assert.deepEqual(output(await h.call("add", { a: 2, b: 3 })), { sum: 5 });
  assert.deepEqual(output(await h.call("add", { a: 2 })), { sum: 3 });
  assert.deepEqual(output(await h.call("echo", { é: "\u2028\u{1f600}" })), { é: "\u2028\u{1f600}" });
  const answer = await h.call("add", { a: 1 }, { request_id: "r" });
  assert.deepEqual([answer.request_id, answer.ds_state], ["r", noChange]);
  h.send(JSON.stringify({ aid: aid("add"), input_json: '{"a":4}' }));
  assert.deepEqual(output(await h.line()), { sum: 5 });
  for (const [what, wanted] of [["none", {}], ["list", { result: [1, [2]] }], ["text", { result: "é" }]])
    assert.deepEqual(output(await h.call("returns", { what })), wanted);
  for (const what of ["nan", "big", "function"]) fails(await h.call("returns", { what }), "TypeError");
});

with_host("all that is wrong with inputs is said at once", async (h) => {
  const bad = { text: "bcde", list: [1, "x", 9], kind: "y", table: { t: 1 }, either: 5, more: 1 };
  const answer = await h.call("checks", bad);
  for (const part of [
    '/text: must have a length of at most 3, not "bcde"', "/text: must match ^a", '/list/1: must be integer, not "x"',
    "/list/2: must be at most 5, not 9", '/kind: must be one of "x", 2, not "y"', "/table/t: must be boolean, not 1",
    "/either: must fit one of its schemas, not 5", "/more: is not known",
  ])
    fails(answer, part);
  const good = { text: "abc", list: [1], kind: 2, table: { t: true }, either: null };
  assert.deepEqual(output(await h.call("checks", good)), good);
  fails(await h.call("add", {}), "/a: is missing");
  fails(await h.call("add", { a: -1 }), "/a: must be at least 0");
});

with_host("requests that are none are refused and the next one runs", async (h) => {
  for (const [text, error] of [
    ["nonsense", "invalid JSON"], ["  ", "invalid JSON"], ["[]", "must be a JSON object"], ["{}", "missing aid"],
    ['{"aid":7}', "missing aid"], ['{"aid":"AID.NOPE.v1"}', "tool not found: AID.NOPE.v1"], ["\ufeff{}", "invalid JSON"],
    [`{"aid":"${aid("add")}","inputs":[]}`, "invalid inputs"], [`{"aid":"${aid("add")}","input_json":"{"}`, "invalid input_json"],
    [`{"aid":"${aid("add")}","timeout_ms":"5"}`, "invalid timeout_ms"],
    [`{"aid":"${aid("add")}","ds_state":{"slots":{"9":{}}}}`, "invalid ds_state: slot 9"],
  ]) {
    h.send(text);
    const answer = await h.line();
    assert.ok(!answer.ok && !("status" in answer) && answer.error.includes(error), `${text}: ${JSON.stringify(answer)}`);
  }
  h.process.stdin.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
  assert.equal((await h.line()).error, "invalid JSON");
  h.send(`{"aid":"${"x".repeat(11_000_000)}"}`);
  assert.deepEqual(await h.line(), { ok: false, error: "request exceeds 10MB limit" });
  assert.deepEqual(output(await h.call("add", { a: 1 })), { sum: 2 });
});

with_host("many requests at once are answered in order", async (h) => {
  const all = Array.from({ length: 300 }, (_, n) => JSON.stringify({ aid: aid("add"), inputs: { a: n }, request_id: `${n}` }));
  h.send(all.join("\n"));
  for (let n = 0; n < 300; n++) assert.equal((await h.line()).request_id, `${n}`);
});

test("what an action prints does not reach the protocol, nor what programs print that it starts", () => {
  // Node gives its children sockets; servers give pipes, and so does a shell.
  const words = ["-c", '{ "$0" "$1" --serve 2>&3 | cat; } 3>&1 >&2 | cat', process.execPath, program];
  const asked = [aid("prints"), aid("add")].map((one) => `${JSON.stringify({ aid: one, inputs: { a: 1 } })}\n`).join("");
  const { stdout: errors, stderr: answers } = spawnSync("sh", words, { input: asked, encoding: "utf8", timeout: 30_000 });
  assert.deepEqual(answers.trim().split("\n").map((line) => output(JSON.parse(line))), [{}, { sum: 2 }]);
  for (const text of ['{"ok":true}', "raw", "from a child"]) assert.ok(errors.includes(text), errors);
});

test("no program that an action starts reads requests", () => {
  const asked = [aid("reads"), aid("add")].map((one) => `${JSON.stringify({ aid: one, inputs: { a: 1 } })}\n`);
  const words = ["-c", '{ echo "$2"; sleep 0.5; echo "$3"; } | "$0" "$1" --serve', process.execPath, program, ...asked.map((one) => one.trim())];
  const { stdout, stderr } = spawnSync("sh", words, { encoding: "utf8", timeout: 30_000 });
  assert.deepEqual(stdout.trim().split("\n").map((line) => output(JSON.parse(line))), [{ result: "" }, { sum: 2 }], stderr);
});

with_host("what is no value of JSON, or cannot say what is wrong, is a failure of its call", async (h) => {
  fails(await h.call("odd", { what: "half" }), "no half characters");
  fails(await h.call("odd", { what: "half_key" }), "no half characters");
  assert.deepEqual(output(await h.call("odd", { what: "whole" })), { result: "\u{1f600}\\ud800" });
  assert.deepEqual(output(await h.call("odd", { what: "date" })), { result: "1970-01-01T00:00:00.000Z" });
  assert.deepEqual(output(await h.call("odd", { what: "undefined" })), {});
  for (const what of ["bare", "symbol", "proxy"]) fails(await h.call("odd", { what }), "cannot say what is wrong");
  assert.deepEqual(output(await h.call("add", { a: 1 })), { sum: 2 });
});

with_host("outputs are bounded", async (h) => {
  assert.equal(output(await h.call("blob", { count: 1_000_000 })).result.length, 1_000_000);
  fails(await h.call("blob", { count: 2_000_000 }), "tool output too large: 2000013 bytes (limit 1048576)");
  fails(await h.call("blob", { count: 400_000, char: '"' }), "response too large: ");
});

with_host("errors come by exception", async (h) => {
  fails(await h.call("raises", { what: "action" }), "no such order");
  fails(await h.call("raises", { what: "pick" }), "wrong one", "INVALID_PICK");
  fails(await h.call("raises", { what: "range" }), "RangeError: range");
  fails(await h.call("raises", { what: "text" }), "a text");
  assert.ok(h.errors.includes("RangeError: range\n    at "), h.errors);
  const answer = await h.call("raises", { what: "cause" }, { request_id: "r" });
  assert.equal(answer.error, "TypeError: it is s3cr3t\n    at s3cr3t (s3cr3t:1:1)");
  assert.match(answer.trace, /^TypeError at\n {4}at .*actions_program\.mjs:\d+:\d+.*\n(.*\n)*caused by RangeError at\n {4}at /);
  assert.ok(!answer.trace.includes("s3cr3t") && !answer.trace.includes("actions.mjs"), answer.trace);
  assert.equal((await h.call("raises", { what: "action" }, { request_id: "r" })).trace, undefined);
});

with_host("progress is told to who asks", async (h) => {
  h.send(JSON.stringify({ aid: aid("counts"), inputs: { to: 2 }, request_id: "p", progress: true }));
  const events = [await h.line(), await h.line(), await h.line()];
  assert.deepEqual(events.map((e) => [e.event, e.request_id, e.percent]), [["progress", "p", 0], ["progress", "p", 50], ["progress", "p", undefined]]);
  assert.ok(events.every((e) => Buffer.byteLength(e.detail) <= 200 && !e.detail.includes("\ufffd")));
  assert.deepEqual(output(await h.line()), { result: 2 });
  assert.deepEqual(output(await h.call("counts", { to: 2 })), { result: 2 });
});

with_host("SIGINT aborts the running call and nothing else", async (h) => {
  assert.deepEqual(output(await h.call("add", { a: 1 })), { sum: 2 });
  h.process.kill("SIGINT");
  assert.deepEqual(output(await h.call("add", { a: 1 })), { sum: 2 });
  h.send(JSON.stringify({ aid: aid("sleeps"), inputs: { ms: 60_000 }, request_id: "c" }));
  await sleep(200);
  h.process.kill("SIGINT");
  const answer = await h.line();
  fails(answer, "cancelled");
  assert.equal(answer.code, "cancelled");
  assert.deepEqual(output(await h.call("sleeps", { ms: 1 })), { result: "slept" });
});

with_host("state comes and goes as a delta", async (h) => {
  const put = { type: "test", provenance: "node", content_json: '{"n":1}', size_bytes: 7 };
  let answer = await h.call("keeps", { slot: 2, value: { n: 1 } });
  assert.deepEqual([output(answer), answer.ds_state], [{}, { delta: true, slots: { 2: put }, removed_slots: [] }]);
  answer = await h.call("keeps", { slot: 2, drop: true }, { ds_state: { slots: { 2: put } } });
  assert.deepEqual([output(answer), answer.ds_state], [{ 2: { n: 1 } }, { delta: true, slots: {}, removed_slots: [2] }]);
  assert.deepEqual(output(await h.call("keeps")), {});
  fails(await h.call("keeps", { slot: 2, value: 1, fail: true }), "after writing");
  fails(await h.call("keeps", { slot: 8, value: 1 }), "the slots are 0 to 7");
  const { slots } = (await h.call("learns", { n: 3 })).ds_state;
  assert.equal(slots[7].type, "manglecp.state_delta");
  assert.deepEqual(JSON.parse(slots[7].content_json), {
    assert: [{ category: "session", pred: "seen", args: [3] }], retract: [{ pred: "seen", args: [null] }],
  });
});

test("SIGTERM ends the program", async () => {
  for (const busy of [false, true]) {
    const h = new Host();
    assert.deepEqual(output(await h.call("add", { a: 1 })), { sum: 2 });
    if (busy) {
      h.send(JSON.stringify({ aid: aid("sleeps"), inputs: { ms: 60_000 } }));
      await sleep(200);
    }
    h.process.kill("SIGTERM");
    if (busy) fails(await h.line(), "cancelled");
    assert.equal(await h.ended, 0);
  }
});

test("--run is the toolhost's", () => {
  for (const [words, input, status, text] of [
    [["--run", aid("add")], '{"inputs":{"a":1}}', 0, '{\\"sum\\":2}'],
    [["--run", aid("add"), "--arg", "a=3"], "", 0, '{\\"sum\\":4}'],
    [["--run", aid("echo"), "--arg", "t=no JSON"], "", 0, "no JSON"],
    [["--run", "AID.NOPE.v1"], "", 4, "tool not found"],
    [["--run", aid("add")], "", 5, "invalid JSON"],
    [["--run", aid("add")], '{"aid":"AID.OTHER.v1"}', 5, "aid mismatch"],
    [["--run", aid("raises"), "--arg", "what=action"], "", 0, "no such order"],
  ]) {
    const done = ran(words, input);
    assert.deepEqual([done.status, done.stdout.includes(text)], [status, true], `${words}: ${done.stdout}${done.stderr}`);
  }
  assert.equal(ran([]).status, 2);
  assert.ok(ran(["--what"]).stderr.includes("usage:"));
});
