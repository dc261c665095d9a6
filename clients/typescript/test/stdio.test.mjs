// The client's role over a session: a child process that does what each test says.
import "./ends.mjs";
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import {
  AuthError,
  CancelledError,
  ConnectionError,
  fact,
  IndeterminateError,
  NotReadyError,
  ProtocolFaultError,
  ServerError,
  spawn,
  TimeoutError,
  UsageError,
} from "../dist/node.js";
import { Session, Ids } from "../dist/core/session.js";
import { done, envelope, failed, fails, manifest, tool, tools, until } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "manglecp-stdio-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const child = fileURLToPath(new URL("scripted_child.mjs", import.meta.url));
let number = 0;

/** A client of the scenario, and what the server got: [{at, message}]. */
async function start(scenario, options = {}) {
  const log = join(folder, `log-${++number}`);
  const got = () =>
    (existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : []).map((line) => {
      const space = line.indexOf(" ");
      return { at: Number(line.slice(0, space)), message: JSON.parse(line.slice(space + 1)) };
    });
  const client = await spawn([process.execPath, child, scenario, log], { connectTimeoutMs: 10_000, ...options });
  return { client, got, types: () => got().map((g) => g.message.type) };
}

test("nothing is sent before the manifest", async () => {
  const { client, got } = await start("late");
  await client.evaluate("look");
  assert.equal(got().length, 1);
  assert.ok(got()[0].at >= 690, `${got()[0].at} ms`); // P-WS-2
  await client.close();
});

test("a server that sends no manifest, or none that is one, is given up", async () => {
  await fails(start("silent", { connectTimeoutMs: 300 }), TimeoutError, (e) => e.sent === false);
  for (const scenario of ["early", "bad_manifest", "manifest_with_id"])
    await fails(start(scenario), ProtocolFaultError);
  await fails(spawn([join(folder, "nothing-here")]), ConnectionError, (e) => e.sent === false);
  await fails(spawn([process.execPath, "-e", "process.exit(4)"]), ConnectionError, (e) =>
    assert.match(e.message, /status 4/),
  );
  await assert.rejects(async () => spawn([]), UsageError);
});

test("blank lines, CR before LF and bytes that come one by one are no fault", async () => {
  for (const scenario of ["spaces", "pieces"]) {
    const { client } = await start(scenario);
    assert.equal((await client.evaluate("look")).tools.length, 1); // D-60
    if (scenario === "pieces") assert.equal(client.manifest.server_name, "é😀");
    await client.close();
  }
});

test("whatever else happens to its answer, an invocation is sent once and is indeterminate", async () => {
  for (const scenario of ["garbage", "bad_utf8", "dies", "endless_line"]) {
    const { client, types } = await start(scenario, { maxAnswerBytes: 1_000_000 });
    await client.evaluate("look");
    const pending = client.evaluate("look").then(
      (e) => e.tools.length,
      (e) => e,
    );
    const error = await fails(client.invoke("act"), IndeterminateError);
    assert.ok(error.cause instanceof ConnectionError, scenario);
    await pending; // answered before, or lost with it, but not forgotten
    await fails(client.evaluate("look"), ConnectionError, (e) => e.sent === false);
    await fails(error.resume(), IndeterminateError, (e) => e.cause.sent === false); // the child that knew is gone
    assert.equal(types().filter((t) => t === "invoke_request").length, 1, scenario);
    await client.close();
  }
});

test("a booting server gets nothing until it says that it is ready", async () => {
  const { client, got } = await start("booting", { token: "good" });
  assert.equal(client.manifest.status, "booting");
  await client.evaluate("look");
  assert.ok(got()[0].at >= 590, `${got()[0].at} ms`); // P-READY-1, P-READY-4
  assert.equal(client.manifest.status, "ready"); // P-MAN-31
  await client.close();
});

test("a server that drains finishes what it has, and gets nothing new", async () => {
  const { client, types } = await start("drains", { readyTimeoutMs: 300 });
  const answers = await Promise.allSettled([client.evaluate("look"), client.evaluate("look")]);
  assert.ok(answers.some((a) => a.status === "fulfilled")); // P-READY-9
  const before = types().length;
  await fails(client.evaluate("look"), NotReadyError, (e) => e.status === "draining"); // P-READY-8, P-MAN-31
  await fails(client.invoke(tool()), NotReadyError);
  assert.equal(types().length, before);
  await client.close();
});

test("the newest manifest holds", async () => {
  const seen = [];
  const { client } = await start("replaced", { onManifest: (m) => seen.push(m.intents[0].name) });
  await until(() => seen.length === 2);
  await fails(client.evaluate("look"), UsageError, (e) => e.problems[0].issue === "unknown_intent");
  assert.equal((await client.evaluate("new")).tools.length, 1); // P-MAN-30, P-MAN-31
  await client.close();
});

test("progress is told to whom it belongs, and is not needed", async () => {
  const seen = [],
    notices = [];
  const { client } = await start("progress", {
    onProgress: (p) => {
      seen.push([p.status, p.percent]);
      throw new Error("mine");
    },
    onNotice: (n) => notices.push(n),
  });
  await client.evaluate("look");
  const outcome = await client.invoke("act");
  assert.deepEqual(seen, [
    ["started", 0],
    ["running", 50.5],
    ["finalizing", undefined],
  ]); // P-PROG-4, P-PROG-6, P-PROG-8
  assert.equal(outcome.result.second, undefined); // P-CONC-10: the first terminal message is the answer
  await client.evaluate("look");
  assert.ok(notices.length >= 5);
  await client.close();
});

test("requests go out together, and answers are told apart", async () => {
  const { client } = await start("backwards");
  const all = await Promise.all(Array.from({ length: 20 }, (_, n) => client.evaluate("look", { params: { n } })));
  assert.deepEqual(
    all.map((e) => e.tools[0].macro_id),
    Array.from({ length: 20 }, (_, n) => `for-${n}`),
  ); // P-CONC-1, P-CONC-2, P-CONC-3
  await client.close();
});

test("an invocation is not sent before the answer that it rests on", async () => {
  const { client, types } = await start("plain");
  await client.evaluate("look");
  await client.invoke("act");
  assert.deepEqual(types(), ["intent_request", "invoke_request"]); // P-CONC-4
  await client.close();
});

const after50 = () => {
  const c = new AbortController();
  setTimeout(() => c.abort(new Error("enough")), 50);
  return c.signal;
};

test("a cancelled invocation says what it had done", async () => {
  const { client, got } = await start("cancelled");
  await client.evaluate("look");
  const error = await fails(client.invoke("act", {}, { signal: after50() }), CancelledError);
  assert.equal(error.stateDelta.assert.length, 1);
  assert.ok(client.facts.has(fact("seen", "half", 1)));
  const [, invoke, cancel] = got().map((g) => g.message);
  assert.deepEqual([cancel.type, cancel.id, cancel.payload], ["cancel", null, { request_id: invoke.id }]); // P-CONC-5, P-CONC-7
  await client.close();
});

test("an invocation that ends before it can be cancelled has its outcome", async () => {
  const { client } = await start("too_late");
  await client.evaluate("look");
  assert.equal((await client.invoke("act", {}, { signal: after50() })).result.late, true); // P-CONC-8
  await client.close();
});

test("a server that does not say what became of a cancelled invocation leaves it open", async () => {
  const { client, types } = await start("deaf");
  await client.evaluate("look");
  await fails(
    client.invoke("act", {}, { signal: after50() }),
    IndeterminateError,
    (e) => e.cause.cause.message === "enough",
  );
  assert.deepEqual(types(), ["intent_request", "invoke_request", "cancel"]);
  await client.close();
});

test("a late invocation is left alone, and a late intent is taken back", async () => {
  const { client, types } = await start("mute", { timeoutMs: 200 });
  await fails(client.invoke(tool()), IndeterminateError, (e) => e.cause instanceof TimeoutError);
  await fails(client.evaluate("look"), TimeoutError);
  await until(() => types().length === 3);
  assert.deepEqual(types(), ["invoke_request", "intent_request", "cancel"]);
  await client.close();
});

test("what was refused unread is an answer to the only open request", async () => {
  const { client } = await start("refused_unread");
  await fails(client.evaluate("look"), ServerError, (e) => e.code === "malformed_message");
  await fails(client.invoke(tool()), ServerError);
  await client.close();
});

test("an answer of another type breaks the protocol", async () => {
  const { client } = await start("other_type");
  await fails(client.evaluate("look"), ProtocolFaultError);
  await client.close();
});

test("the client logs in before its first request", async () => {
  const sent = [];
  const { client, got } = await start("login", { token: "good", trace: (d, text) => d === "sent" && sent.push(text) });
  await Promise.all([client.evaluate("look"), client.evaluate("look")]);
  assert.deepEqual(
    got().map((g) => g.message.type),
    ["authenticate", "intent_request", "intent_request"],
  ); // P-AUTH-6
  assert.deepEqual(got()[0].message.payload, { scheme: "bearer", token: "good" });
  assert.equal(client.identity, "ann"); // P-AUTH-7
  assert.ok(!sent.join().includes("good"));
  await client.close();
  const wrong = await start("login", { token: "bad" });
  for (let i = 0; i < 3; i++) await fails(wrong.client.evaluate("look"), AuthError, (e) => e.code === "auth_invalid");
  assert.deepEqual(wrong.types(), ["authenticate"]); // what does not change is not tried again
  await wrong.client.close();
  const nobody = await start("login");
  await fails(nobody.client.evaluate("look"), AuthError, (e) => e.code === "auth_required");
  assert.deepEqual(nobody.types(), []);
  await nobody.client.close();
});

test("a token function is asked again, at the beginning and when a token has come to its end", async () => {
  const asked = [];
  const { client, types } = await start("expires", {
    token: (again) => {
      asked.push(again);
      return ["bad", "good", "good2"][asked.length - 1];
    },
  });
  await client.evaluate("look");
  assert.deepEqual(
    [asked, types()],
    [
      [false, true],
      ["authenticate", "authenticate", "intent_request"],
    ],
  );
  await client.evaluate("look"); // the server says auth_invalid now, until somebody logs in again
  assert.deepEqual(asked, [false, true, true]); // P-ERR-11
  assert.deepEqual(types().slice(3), ["intent_request", "authenticate", "intent_request"]);
  await client.close();
});

test("a login that the server has ended is repeated", async () => {
  const { client, types } = await start("forgets_the_login", { token: "fixed" });
  await client.evaluate("look");
  await client.evaluate("look");
  await client.invoke("act");
  assert.deepEqual(types(), [
    ...["authenticate", "intent_request"],
    ...["intent_request", "authenticate", "intent_request"],
    ...["invoke_request", "authenticate", "invoke_request"],
  ]); // P-ERR-11
  await client.close();
});

test("a server that talks without end is left when time is up", async () => {
  const { client } = await start("talks_without_end", { timeoutMs: 500 });
  const begun = Date.now();
  await fails(client.evaluate("look"), TimeoutError);
  assert.ok(Date.now() - begun < 15_000, `it took ${Date.now() - begun} ms`);
  await client.close();
});

test("a child that ends while its own child holds the pipes open has ended", async () => {
  const { client } = await start("leaves_a_child");
  await client.evaluate("look");
  const began = performance.now();
  await fails(client.invoke("act"), IndeterminateError);
  assert.ok(performance.now() - began < 5000);
  await client.close();
});

test("there is an end to how many requests are open, and to what waits to be written", async () => {
  const { client } = await start("mute", { timeoutMs: 1500 });
  const all = await Promise.allSettled(Array.from({ length: 260 }, () => client.evaluate("look")));
  assert.equal(all.filter((a) => a.reason instanceof UsageError && /256/.test(a.reason.message)).length, 4);
  assert.equal(all.filter((a) => a.reason instanceof TimeoutError).length, 256);
  await client.close();
  const stuck = await start("stuck", { timeoutMs: 1500 });
  const long = "x".repeat(15_000_000),
    errors = [];
  for (let i = 0; i < 6; i++) void stuck.client.evaluate("look", { params: { long } }).catch((e) => errors.push(e));
  await until(() => errors.length === 6, 30_000);
  assert.ok(
    errors.some((e) => !e.sent && /does not read/.test(e.message)),
    errors.map(String).join(),
  );
  await stuck.client.close();
});

test("closing ends the child, even one that does not want to", async () => {
  const running = (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const pids = [];
  for (const scenario of ["plain", "stays"]) {
    const log = join(folder, `log-${++number}`);
    const client = await spawn(
      [
        process.execPath,
        "-e",
        `console.error(process.pid); process.argv[2] = ${JSON.stringify(scenario)}; process.argv[3] = ${JSON.stringify(log)}; import(${JSON.stringify(child)})`,
        "x",
      ],
      { stderr: (text) => pids.push(Number(text)) },
    );
    await client.evaluate("look");
    const began = performance.now();
    await client.close();
    const took = performance.now() - began;
    assert.ok(scenario === "plain" ? took < 4000 : took > 6500 && took < 12_000, `${scenario}: ${took} ms`);
    await fails(client.evaluate("look"), ConnectionError);
  }
  await until(() => pids.length === 2 && !pids.some(running));
});

test("a session survives any message, and never throws", () => {
  const pieces = [
    "manifest",
    "intent_response",
    "invoke_response",
    "progress",
    "error",
    "authenticate_response",
    "cancel",
    "x",
  ];
  const payloads = [{}, manifest(), tools(tool()), done(), failed("x"), { status: "running" }, [], null, 7];
  const ids = [null, "c-1", "c-2", "c-9", 5, {}];
  for (const first of [true, false])
    for (const type of pieces)
      for (const payload of payloads)
        for (const id of ids) {
          const session = new Session(new Ids());
          if (first)
            assert.equal(session.receive(JSON.stringify(envelope("manifest", null, manifest()))).kind, "manifest");
          session.request("intent_request", {});
          session.request("invoke_request", {});
          const event = session.receive(JSON.stringify(envelope(type, id, payload)));
          assert.ok(["manifest", "answer", "progress", "notice", "broken"].includes(event.kind));
          if (!first && type !== "manifest") assert.ok(["broken", "notice"].includes(event.kind));
        }
});
