// Invocations over HTTP, against scripted servers: sent once, with consent, and what they bring.
import "./ends.mjs";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test from "node:test";
import {
  AuthError,
  ConnectionError,
  ConsentError,
  connect,
  fact,
  IndeterminateError,
  ProtocolFaultError,
  ServerError,
  ToolGoneError,
  UsageError,
} from "../dist/node.js";
import {
  both,
  done,
  envelope,
  failed,
  fails,
  httpServer,
  manifest,
  scripted,
  sleep,
  tcpServer,
  tool,
  tools,
  until,
} from "./support.mjs";

// ---- an invocation is sent once

/** Answers everything but invocations; those are counted and dealt with by `how(socket, n)`. */
async function cutting(how, told = {}) {
  let invocations = 0;
  const bodies = [];
  const server = await tcpServer((socket) => {
    let input = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      input = Buffer.concat([input, bytes]);
      for (;;) {
        const end = input.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = input.subarray(0, end).toString();
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (input.length < end + 4 + length) return;
        const body = input.subarray(end + 4, end + 4 + length).toString();
        input = input.subarray(end + 4 + length);
        const answer = (value, status = "200 OK") => {
          const text = typeof value === "string" ? value : JSON.stringify(value);
          socket.write(
            `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
          );
        };
        if (head.startsWith("GET")) answer(envelope("manifest", null, manifest(told)));
        else if (head.startsWith("POST /e")) answer(envelope("intent_response", JSON.parse(body).id, tools(tool())));
        else {
          bodies.push({ head, message: JSON.parse(body), socket });
          how(socket, ++invocations, answer, JSON.parse(body));
        }
      }
    });
  });
  return {
    ...server,
    url: `http://127.0.0.1:${server.port}`,
    bodies,
    get invocations() {
      return invocations;
    },
  };
}

const LOST = {
  "is closed": (socket) => socket.end(),
  "is reset": (socket) => socket.resetAndDestroy(),
  "breaks off in the answer's head": (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Le"),
  "breaks off in the answer's body": (socket) =>
    socket.end("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"),
  "answers with what is no HTTP": (socket) => socket.end("garbage\r\n\r\n"),
  "answers with what is no message": (_s, _n, answer) => answer("<html>"),
  "answers with a message for another": (_s, _n, answer) => answer(envelope("invoke_response", "c-99", done())),
  "answers with a message of another type": (_s, _n, answer, m) => answer(envelope("intent_response", m.id, tools())),
  "answers with a result that is none": (_s, _n, answer, m) => answer(envelope("invoke_response", m.id, { result: 7 })),
  "answers 421": (_s, _n, answer) => answer("{}", "421 Misdirected Request"),
  "answers 408": (_s, _n, answer) => answer("{}", "408 Request Timeout"),
  "says nothing": () => {},
};

for (const [what, how] of Object.entries(LOST)) {
  test(`an invocation on a connection that was used before, and that ${what}, is sent once`, async () => {
    const server = await cutting((socket, n, answer, m) =>
      n === 1
        ? how(socket, n, answer, m)
        : answer(envelope("invoke_response", m.id, done({ n }), { extensions: { "x-idempotent-replay": true } })),
    );
    const client = await connect(server.url, { timeoutMs: 500 });
    await client.evaluate("look");
    const error = await fails(client.invoke("act", { n: 5 }), IndeterminateError);
    await sleep(150);
    assert.equal(server.invocations, 1, "sent by itself a second time");
    assert.match(server.bodies[0].head, /content-length: \d+/i);
    const outcome = await error.resume();
    assert.deepEqual([server.invocations, outcome.replayed, outcome.result.n], [2, true, 2]);
    const keys = server.bodies.map((b) => b.message.extensions["x-idempotency-key"]);
    assert.equal(keys[0], keys[1]);
    assert.deepEqual(
      server.bodies.map((b) => b.message.extensions["x-idempotency-only"]),
      [undefined, true],
    );
    assert.match(keys[0], /^[A-Za-z0-9._:-]{1,128}$/);
    assert.equal(error.idempotencyKey, keys[0]);
    assert.notEqual(server.bodies[0].message.id, server.bodies[1].message.id); // P-ENV-4
    assert.deepEqual(server.bodies[0].message.payload, server.bodies[1].message.payload);
    await client.close();
    await server.close();
  });
}

test("a server that would run it is not asked for an outcome", async () => {
  for (const [extensions, sent, cause] of [
    [{}, 1, (e) => e instanceof UsageError],
    [{ "x-idempotency-only": true }, 2, (e) => e.code === "malformed_message"],
  ]) {
    const unknown = failed("malformed_message", { recoverable: false, details: { reason: "key_unknown" } });
    const server = await cutting(
      (socket, n, answer, m) => (n === 1 ? socket.destroy() : answer(envelope("error", m.id, unknown))),
      { extensions },
    );
    const client = await connect(server.url);
    await client.evaluate("look");
    const error = await fails(client.invoke("act"), IndeterminateError);
    await fails(error.resume(), IndeterminateError, (e) => cause(e.cause));
    assert.equal(server.invocations, sent);
    await client.close();
    await server.close();
  }
});

test("as long as nobody can say, it stays indeterminate, and one can ask again", async () => {
  const server = await cutting((socket, n, answer, m) => {
    if (n === 1) socket.destroy();
    else
      answer(
        envelope(
          n < 4 ? "error" : "invoke_response",
          m.id,
          n === 2 ? failed("rate_limited") : n === 3 ? failed("macro_not_found") : done(),
        ),
      );
  });
  const client = await connect(server.url);
  await client.evaluate("look");
  let error = await fails(client.invoke("act"), IndeterminateError);
  error = await fails(error.resume(), IndeterminateError, (e) => e.cause.code === "rate_limited");
  error = await fails(error.resume(), IndeterminateError, (e) => e.cause.code === "macro_not_found");
  assert.equal((await error.resume()).result.ok, true);
  assert.equal(new Set(server.bodies.map((b) => b.message.extensions["x-idempotency-key"])).size, 1);
  await client.close();
  await server.close();
});

scripted(
  "a server that does not know itself whether the tool ran says so",
  {
    answer: (m) =>
      m.type === "intent_request"
        ? ["intent_response", tools(tool())]
        : ["error", failed("execution_failed", { details: { indeterminate: true } })],
  },
  async ({ client }) => {
    await client.evaluate("look");
    await fails(
      client.invoke("act"),
      IndeterminateError,
      (e) => e.resume === undefined && e.cause.code === "execution_failed",
    );
  },
);

test("an invocation that is refused at the door goes in with other credentials, once", async () => {
  for (const good of ["token-2", "token-9"]) {
    let asked = 0;
    const server = await httpServer((m, request) => {
      if (m.type === "intent_request") return ["intent_response", tools(tool())];
      return request.headers.authorization === `Bearer ${good}`
        ? ["invoke_response", done()]
        : ["error", failed("auth_invalid")];
    });
    const client = await connect(server.url, { token: () => `token-${++asked}` });
    await client.evaluate("look");
    if (good === "token-2") await client.invoke("act");
    else await fails(client.invoke("act"), AuthError);
    assert.deepEqual([asked, server.posts("invoke_request").length], [2, 2]); // P-ERR-11
    await client.close();
    await server.close();
  }
});

test("what was certainly not sent is no lost answer", async () => {
  const server = await httpServer(both());
  const client = await connect(server.url);
  await client.evaluate("look");
  await server.close();
  await sleep(100); // until the client has seen that its idle connection is gone
  await fails(client.invoke("act"), ConnectionError, (e) => e.sent === false);
  await client.close();
  await fails(client.invoke("act"), ConnectionError, (e) => e.sent === false);
});

// ---- tools that are gone

function vanishing(code, { offered = true } = {}) {
  let evaluations = 0;
  return (m) => {
    if (m.type === "intent_request")
      return [
        "intent_response",
        ++evaluations === 1 || offered ? tools(tool()) : tools(tool({ macro_id: "act-ffffffffffff" })),
      ];
    return evaluations === 1 ? ["error", failed(code)] : ["invoke_response", done()];
  };
}

for (const code of ["macro_not_found", "macro_expired"]) {
  scripted(
    `after ${code} the intent is evaluated again, and the same tool is run`,
    { answer: vanishing(code) },
    async ({ server, client }) => {
      client.facts.add(fact("seen", "x", 1));
      await client.evaluate("look", { params: { p: 1 } });
      client.facts.add(fact("seen", "x", 2));
      await client.invoke("act", { n: 1 });
      assert.deepEqual(
        server.posts().map((p) => p.message.type),
        ["intent_request", "invoke_request", "intent_request", "invoke_request"],
      ); // P-CACHE-6
      const [first, second] = server.posts("intent_request").map((p) => p.message.payload);
      assert.deepEqual([second.intent, second.facts.length], [first.intent, 2]);
      assert.equal(
        new Set(server.posts("invoke_request").map((p) => p.message.extensions["x-idempotency-key"])).size,
        1,
      );
    },
  );
  scripted(
    `after ${code}, another tool of that name is not run in its place`,
    { answer: vanishing(code, { offered: false }) },
    async ({ server, client }) => {
      await client.evaluate("look");
      await fails(
        client.invoke("act"),
        ToolGoneError,
        (e) => e.evaluation.tools[0].macro_id === "act-ffffffffffff" && e.cause.code === code,
      );
      assert.equal(server.posts("invoke_request").length, 1);
    },
  );
}

test("a server that forgets every time is asked once more, and then no more", async () => {
  const server = await httpServer((m) =>
    m.type === "intent_request" ? ["intent_response", tools(tool())] : ["error", failed("macro_not_found")],
  );
  const client = await connect(server.url);
  await client.evaluate("look");
  await fails(client.invoke("act"), ServerError, (e) => e.code === "macro_not_found");
  assert.equal(server.posts("invoke_request").length, 2);
  await client.close();
  await server.close();
});

scripted(
  "a tool whose time is over is evaluated again before it is run",
  {
    answer: (m) =>
      m.type === "intent_request"
        ? ["intent_response", tools(tool({ validity: { expires_at: "2026-07-04T06:05:00Z" } }))]
        : ["invoke_response", done()],
    client: () => ({ clock: () => Date.parse("2026-07-04T06:05:00Z") }),
  },
  async ({ server, client }) => {
    await client.evaluate("look");
    await client.invoke("act");
    assert.deepEqual(
      server.posts().map((p) => p.message.type),
      ["intent_request", "intent_request", "invoke_request"],
    ); // P-TOOL-18
  },
);

scripted(
  "a tool that was shown in part is shown in full, and then held against its schema",
  {
    answer: (m) => {
      if (m.type === "invoke_request") return ["invoke_response", done()];
      const full = m.payload.facts.some((f) => f.pred === "disclosure_upgrade" && f.args[0] === "act-0123456789ab");
      return [
        "intent_response",
        tools(
          full
            ? tool({ safety: { requires_user_confirmation: true, side_effects: ["destructive"] } })
            : { macro_id: "act-0123456789ab", name: "act", disclosure_level: "minimal" },
        ),
      ];
    },
    client: {
      confirm: (request) => (
        assert.deepEqual([request.sideEffects, request.reversible], [["destructive"], false]),
        false
      ),
    },
  },
  async ({ server, client }) => {
    const {
      tools: [minimal],
    } = await client.evaluate("look");
    await fails(client.invoke(minimal, { n: "x" }), UsageError);
    await fails(client.invoke(minimal, { n: 1 }), ConsentError, (e) => e.reason === "declined");
    assert.equal(server.posts("invoke_request").length, 0); // P-DISC-LVL-9
  },
);

// ---- consent

const KEY = Buffer.from("a key of the confirming program");
const dangerous = tool({
  safety: { requires_user_confirmation: true, side_effects: ["destructive", "payments"], reversible: false },
  input_schema: {
    type: "object",
    properties: {
      n: { type: "integer" },
      of: { type: "string", default: "the schema" },
      in: { type: "object", properties: { deep: { default: [1] } } },
    },
  },
});

function guarded({
  challenge = "v1.1780000000000.n0nce.tag",
  invalid = 0,
  bound = [],
  effects = ["destructive"],
  args = {},
  words = {},
  id,
} = {}) {
  const good = `${challenge}.${createHmac("sha256", KEY).update(challenge).digest("base64url")}`;
  return (m) => {
    if (m.type === "intent_request") return ["intent_response", tools(dangerous)];
    const { confirmation_token: token } = m.payload;
    if (!token)
      return [
        "error",
        failed("confirmation_required", {
          details: {
            macro_id: id ?? m.payload.macro_id,
            challenge,
            side_effects: effects,
            reversible: false,
            show: {
              tool: "act",
              description: "Acts.",
              args: { of: "the schema", ...m.payload.args, ...args },
              bound,
              ...words,
            },
          },
        }),
      ];
    if (invalid-- > 0) return ["error", failed("confirmation_invalid", { details: { reason: "expired" } })];
    return token === good || token === challenge
      ? ["invoke_response", done({ token })]
      : ["error", failed("confirmation_invalid", { details: { reason: "mismatch" } })];
  };
}

test("the user is asked before anything is sent, and the host's key proves the consent", async () => {
  const asked = [];
  const server = await httpServer(guarded());
  const confirm = (request) => {
    asked.push([request, server.posts("invoke_request").length]);
    return true;
  };
  const client = await connect(server.url, { confirm, confirmationKey: KEY.toString("base64url") });
  await client.evaluate("look");
  await client.invoke("act", { n: 3 });
  const [[request, sentBefore]] = asked;
  assert.equal(asked.length, 1);
  assert.equal(sentBefore, 0); // P-TOOL-15
  assert.deepEqual(
    [request.tool.description, request.sideEffects, request.reversible, request.args],
    ["Acts.", ["destructive", "payments"], false, { n: 3 }],
  ); // P-CONF-3
  const sent = server.posts("invoke_request").map((p) => p.message);
  assert.equal(sent.length, 2);
  assert.equal(sent[0].payload.confirmation_token, undefined);
  assert.equal(sent[0].extensions["x-idempotency-key"], sent[1].extensions["x-idempotency-key"]);
  await client.close();
  await server.close();
});

/** A tool that runs, and asks before each of three actions; `end`: what comes then. */
function asking(end = () => ["invoke_response", done({ ran: true })]) {
  return (m) => {
    if (m.type === "intent_request") return ["intent_response", tools(dangerous)];
    const n = Number(m.payload.confirmation_token?.split(".")[2] ?? 0);
    if (n === 3) return end();
    const show = { tool: "act", description: "Acts.", args: m.payload.args, bound: [] };
    const within = { question: `Number ${n + 1}?`, action: "file_write", inputs: { path: "/a", n }, step: "next" };
    const details = {
      macro_id: m.payload.macro_id,
      challenge: `v1.1.${n + 1}.tag`,
      side_effects: ["destructive"],
      reversible: false,
      show: { ...show, ...within },
    };
    return ["error", failed("confirmation_required", { details })];
  };
}

test("what a tool asks while it runs is for the user to say, and nothing is begun anew", async () => {
  let server = await httpServer(asking());
  const asked = [];
  let client = await connect(server.url, { confirm: (q) => !!asked.push(q), confirmationKey: KEY });
  await client.evaluate("look");
  assert.deepEqual((await client.invoke("act")).result, { ran: true });
  assert.deepEqual(
    asked.map((q) => q.within?.question),
    [undefined, "Number 1?", "Number 2?", "Number 3?"],
  ); // P-CONF-3
  assert.deepEqual(asked[2].within, { question: "Number 2?", action: "file_write", inputs: { path: "/a", n: 1 } });
  const sent = server.posts("invoke_request").map((p) => p.message);
  assert.equal(new Set(sent.map((m) => m.extensions["x-idempotency-key"])).size, 1);
  assert.equal(sent.length, 4);
  await client.close();
  await server.close();
  for (const code of ["confirmation_invalid", "macro_not_found", "macro_expired"]) {
    server = await httpServer(asking(() => ["error", failed(code)]));
    client = await connect(server.url, { confirm: () => true, confirmationKey: KEY });
    await client.evaluate("look");
    await fails(client.invoke("act"), ServerError, (e) => e.code === code);
    assert.deepEqual([server.posts("intent_request").length, server.posts("invoke_request").length], [1, 4]);
    await client.close();
    await server.close();
  }
  server = await httpServer(asking());
  client = await connect(server.url, { confirm: (q) => !q.within, confirmationKey: KEY });
  await client.evaluate("look");
  await fails(client.invoke("act"), ConsentError, (e) => e.reason === "declined" && /is done/.test(e.message));
  await client.close();
  await server.close();
  server = await httpServer((m) => asking()({ ...m, payload: { ...m.payload, confirmation_token: undefined } }));
  client = await connect(server.url, { confirm: () => true, confirmationKey: KEY });
  await client.evaluate("look");
  await fails(client.invoke("act"), ServerError, (e) => e.code === "confirmation_required"); // it asks without end
  assert.equal(server.posts("invoke_request").length, 257);
  await client.close();
  await server.close();
});

test("a lost answer may have been what the tool asks", async () => {
  const server = await cutting((socket, n, answer, m) => {
    if (n === 1) socket.destroy();
    else answer(envelope(...(([type, payload]) => [type, m.id, payload])(asking()(m))));
  });
  const client = await connect(server.url);
  await client.evaluate("look");
  const error = await fails(client.invoke("act"), IndeterminateError);
  await fails(error.resume(), ServerError, (e) => e.details.show.question === "Number 1?"); // it runs, and waits
  await client.close();
  await server.close();
});

test("without consent nothing is sent", async () => {
  const server = await httpServer(guarded());
  for (const [options, reason] of [
    [{ confirm: () => false }, "declined"],
    [{ confirm: () => "yes" }, "declined"],
    [{}, "nobody"],
  ]) {
    const client = await connect(server.url, { ...options, confirmationKey: KEY });
    await client.evaluate("look");
    await fails(client.invoke("act"), ConsentError, (e) => e.reason === reason); // P-CONF-3
    await client.close();
  }
  const broken = await connect(server.url, {
    confirm: () => {
      throw new Error("the dialog broke");
    },
  });
  await broken.evaluate("look");
  await assert.rejects(broken.invoke("act"), /the dialog broke/);
  await broken.close();
  assert.equal(server.posts("invoke_request").length, 0);
  await fails(connect(server.url, { confirmationKey: "short" }), UsageError);
  await server.close();
});

test("consent that nothing can prove runs nothing, and can be proved out of band", async () => {
  const server = await httpServer(guarded());
  const client = await connect(server.url, { confirm: () => true });
  await client.evaluate("look");
  const error = await fails(
    client.invoke("act"),
    ConsentError,
    (e) => e.reason === "no_key" && e.cause.code === "confirmation_required",
  );
  assert.equal((await client.invoke("act", {}, { approved: error.challenge })).result.token, error.challenge);
  await client.close();
  const shown = [];
  const other = await connect(server.url, {
    confirm: () => true,
    approve: (challenge, show) => {
      shown.push(show);
      return true;
    },
  });
  await other.evaluate("look");
  await other.invoke("act", { n: 1 });
  assert.deepEqual(shown, [{ tool: "act", description: "Acts.", args: { of: "the schema", n: 1 }, bound: [] }]);
  await other.close();
  await server.close();
});

test("what the server tells beyond what was agreed to is asked about", async () => {
  const bound = [{ name: "zone", value: "b" }, { name: "who" }, 1];
  for (const [told, times] of [
    [{}, 1],
    [{ bound }, 2],
    [{ effects: ["destructive", "network"] }, 2],
  ]) {
    const asked = [];
    const server = await httpServer(guarded(told));
    const client = await connect(server.url, { confirm: (r) => asked.push(r) < 2, confirmationKey: KEY });
    await client.evaluate("look");
    const run = client.invoke("act", { n: 1 });
    await (times === 1 ? run : fails(run, ConsentError, (e) => e.reason === "declined"));
    assert.equal(asked.length, times);
    assert.deepEqual(asked[0].bound, []);
    if (told.bound) assert.deepEqual(asked[1].bound, bound.slice(0, 2)); // P-CONF-3
    if (times === 2) assert.deepEqual(asked[1].args, { of: "the schema", n: 1 });
    await client.close();
    await server.close();
  }
});

test("only defaults of the schema join what was agreed to", async () => {
  for (const [told, sent, times] of [
    [{}, { n: 1, in: {} }, 2],
    [{ args: { in: { deep: [1] } } }, { n: 1, in: {} }, 1],
    [{ args: { in: { deep: [2] } } }, { n: 1, in: {} }, 2],
    [{ args: { to: "mallory", amount: 1000000 } }, { n: 1 }, 2],
    [{ args: { of: "mallory" } }, { n: 1 }, 2],
    [{ args: { n: 2 } }, { n: 1 }, 2],
    [{ words: { args: {} } }, { n: 1 }, 2],
    [{ words: { args: { n: 1 } } }, { n: 1 }, 1],
    [{ words: { tool: "pay" } }, { n: 1 }, 2],
    [{ words: { description: "Pays." } }, { n: 1 }, 2],
  ]) {
    const asked = [];
    const server = await httpServer(guarded(told));
    const client = await connect(server.url, { confirm: (r) => asked.push(r) < 2, confirmationKey: KEY });
    await client.evaluate("look");
    const run = client.invoke("act", sent);
    await (times === 1 ? run : fails(run, ConsentError, (e) => e.reason === "declined"));
    assert.equal(asked.length, times, JSON.stringify([told, sent]));
    assert.equal(server.posts("invoke_request").length, times === 1 ? 2 : 1);
    await client.close();
    await server.close();
  }
});

test("a challenge for another tool is not signed", async () => {
  const server = await httpServer(guarded({ id: "pay-0123456789ab" }));
  const client = await connect(server.url, { confirm: () => true, confirmationKey: KEY });
  await client.evaluate("look");
  await fails(client.invoke("act"), ConsentError, (e) => e.reason === "rejected");
  assert.equal(server.posts("invoke_request").length, 1);
  await client.close();
  await server.close();
});

// ---- dry runs, and tools that are absent

const PLAN = {
  macro_id: "act-0123456789ab",
  tool: "act",
  args: {},
  bound: [{ name: "zone" }],
  steps: [
    {
      id: "one",
      action: "A.B.v1",
      runs: "depends",
      depends_on: ["x"],
      side_effects: [],
      reversible: true,
      idempotent: false,
      on_failure: "stop",
      timeout_ms: 1,
    },
  ],
  side_effects: ["destructive"],
  reversible: false,
  idempotent: false,
  confirmation: { required: true, given: false, show: { args: {} } },
  estimate: { at_most_ms: 5 },
};

test("a dry run is sent only to who knows of it, and asks nobody", async () => {
  const answers = [
    ["invoke_response", done({}), { extensions: { "x-dry-run": PLAN } }],
    ["invoke_response", done()],
    ["error", failed("confirmation_invalid")],
  ];
  let answer = 0;
  const server = await httpServer((m, request) => {
    if (m.type === "intent_request") return ["intent_response", tools(dangerous)];
    if (answer < answers.length) return answers[answer++];
    request.socket.destroy();
  });
  const client = await connect(server.url, {});
  await client.evaluate("look");
  await fails(client.invoke("act", {}, { dryRun: true }), UsageError, (e) => e.problems[0].issue === "unsupported");
  assert.deepEqual(server.posts("invoke_request"), []);
  await client.close();
  server.state.manifest = manifest({ extensions: { "x-dry-run": true } });
  const other = await connect(server.url, {});
  await other.evaluate("look");
  const outcome = await other.invoke("act", {}, { dryRun: true });
  assert.deepEqual(outcome.plan, PLAN);
  assert.equal(outcome.applied, undefined);
  for (const kind of [ProtocolFaultError, ServerError, ConnectionError])
    await fails(other.invoke("act", {}, { dryRun: true }), kind); // nothing is left open
  for (const { message } of server.posts("invoke_request")) assert.deepEqual(message.extensions, { "x-dry-run": true });
  await other.close();
  await server.close();
});

test("why a tool is absent is asked once", async () => {
  const why = [
    {
      tool: "act",
      selected: false,
      reasons: [{ phase: "candidate", message: "No rule.", rule: { name: "r", file: "f.mg", line: 3 }, facts: [] }],
      changes: [{ add: [{ pred: "seen", args: ["a", 1] }], remove: [] }],
      search: { complete: true },
    },
  ];
  const told = [tool({ validity: { expires_at: "2026-07-04T06:00:01Z" } }), tool(), tool()];
  const server = await httpServer((m) =>
    m.type === "intent_request"
      ? ["intent_response", tools(told.shift()), { extensions: { "x-why-not": why } }]
      : ["invoke_response", done()],
  );
  const client = await connect(server.url, {});
  const found = await client.evaluate("look", { whyNot: ["act"], proofs: true });
  assert.deepEqual(found.whyNot, why);
  await client.invoke("act"); // it is over, and evaluated again
  assert.equal((await client.evaluate("look")).whyNot, undefined);
  await fails(client.evaluate("look", { whyNot: "act" }), UsageError, (e) => e.problems[0].path === "/extensions/x-why-not");
  const sent = server.posts("intent_request").map((s) => s.message);
  assert.deepEqual(sent.map((m) => m.extensions), [{ "x-why-not": ["act"] }, undefined, undefined]);
  assert.equal(sent[0].payload.options.include_proof_hints, true);
  await client.close();
  await server.close();
});

test("a consent that came too late is asked for again, once", async () => {
  for (const [invalid, runs] of [
    [1, true],
    [5, false],
  ]) {
    const asked = [];
    const server = await httpServer(guarded({ invalid }));
    const client = await connect(server.url, {
      confirm: (r) => {
        asked.push(r.again);
        return true;
      },
      confirmationKey: KEY,
    });
    await client.evaluate("look");
    if (runs) await client.invoke("act");
    else
      await fails(
        client.invoke("act"),
        ConsentError,
        (e) => e.reason === "rejected" && e.cause.code === "confirmation_invalid",
      );
    assert.deepEqual(asked, [false, true]); // P-ERR-11
    assert.equal(server.posts("invoke_request").length, 4);
    await client.close();
    await server.close();
  }
});

// ---- what an outcome brings

test("deltas are applied, what is derived is sent again as a fact of the client, suggestions are followed", async () => {
  const outcome = done(
    { n: 1.0 },
    {
      state_delta: {
        retract: [{ pred: "seen", args: ["a", null] }],
        assert: [
          {
            pred: "seen",
            args: ["a", { _type: "int64", value: "9007199254740993" }],
            category: "server",
            source: { source_type: "server" },
          },
          { pred: "derived_thing", args: [2], category: "derived", source: { source_type: "derived" } },
          { pred: "event", args: ["e"], category: "server", t: { start: "2026-07-04T06:00:00Z", end: "_" } },
        ],
      },
      next: {
        suggested_intents: [{ name: "look", params: { deep: { k: 1 } }, description: "Look." }],
        continuation_facts: [
          { pred: "seen", args: ["c", 3] },
          { pred: "other", args: ["o"] },
        ],
      },
    },
  );
  const server = await httpServer(both(outcome));
  const client = await connect(server.url, {
    facts: [fact("seen", "a", 1), fact("seen", "a", 2), fact("seen", "b", 1)],
  });
  await client.evaluate("look");
  const got = await client.invoke("act");
  assert.deepEqual([got.applied.retracted.length, got.applied.asserted.length], [2, 3]); // P-DELTA-6, P-DELTA-9
  assert.ok(client.facts.has(fact("seen", "a", 9007199254740993n)));
  const evaluation = await client.follow(got.suggestion("look"), got);
  const { intent, facts } = server.posts("intent_request").at(-1).message.payload;
  assert.deepEqual(intent, { name: "look", params: { deep: { k: 1 } } }); // P-NEXT-3
  assert.deepEqual(
    facts.map((f) => f.pred),
    ["seen", "seen", "derived_thing", "event", "seen", "other"],
  ); // P-NEXT-5, P-PROV-9
  assert.ok(facts.every((f) => f.category === undefined)); // P-PROV-10
  assert.deepEqual(facts[3].t, { start: "2026-07-04T06:00:00Z", end: "_" }); // P-TIME-17, P-DELTA-10
  assert.deepEqual(facts[1].args[1], { _type: "int64", value: "9007199254740993" });
  assert.equal(evaluation.withheld.length, 0);
  await client.close();
  await server.close();
});

test("a delta is left alone where the caller wants to apply it", async () => {
  const server = await httpServer(
    both(done({}, { state_delta: { assert: [{ pred: "seen", args: ["x", 1], category: "server" }] } })),
  );
  const client = await connect(server.url, { applyDeltas: false });
  await client.evaluate("look");
  const outcome = await client.invoke("act");
  assert.deepEqual([outcome.applied, client.facts.size], [undefined, 0]); // P-DELTA-8
  client.facts.apply(outcome.delta);
  assert.equal(client.facts.size, 1);
  await client.close();
  await server.close();
});

test("effects that are not complete are told", async () => {
  const warnings = [];
  const server = await httpServer(
    both(
      done(
        {},
        {
          effects_complete: false,
          observability: {
            summary: "Done.",
            events: [],
            warnings: [{ code: "effects_incomplete", message: "a rule failed" }],
          },
          state_delta: { assert: [{ pred: "seen", args: ["x", 1], category: "server" }] },
        },
      ),
    ),
  );
  const client = await connect(server.url, { onWarning: (w) => warnings.push(w) });
  await client.evaluate("look");
  const outcome = await client.invoke("act");
  assert.deepEqual(
    [outcome.effectsComplete, outcome.warnings, warnings],
    [false, [{ code: "effects_incomplete", message: "a rule failed" }], outcome.warnings],
  );
  assert.equal(client.facts.size, 1); // what is there is applied
  await client.close();
  await server.close();
});

test("what a failed invocation had done is applied as well", async () => {
  const server = await httpServer((m) =>
    m.type === "intent_request"
      ? ["intent_response", tools(tool())]
      : [
          "error",
          failed("execution_failed", {
            details: { state_delta: { assert: [{ pred: "seen", args: ["half", 1], category: "server" }] } },
          }),
        ],
  );
  const client = await connect(server.url);
  await client.evaluate("look");
  await fails(client.invoke("act"), ServerError, (e) => e.stateDelta.assert.length === 1);
  assert.ok(client.facts.has(fact("seen", "half", 1)));
  await client.close();
  const other = await connect(server.url, { applyDeltas: false });
  await other.evaluate("look");
  await fails(other.invoke("act"), ServerError);
  assert.equal(other.facts.size, 0);
  await other.close();
  await server.close();
});

test("a delta that finds no room does not hide that the tool ran", async () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ pred: "seen", args: ["x", i], category: "server" }));
  const server = await httpServer(both(done({ ran: 1 }, { state_delta: { assert: many } })));
  const { WorkingFacts } = await import("../dist/node.js");
  const client = await connect(server.url, { facts: new WorkingFacts({ maxFacts: 100 }) });
  await client.evaluate("look");
  const outcome = await client.invoke("act");
  assert.deepEqual(
    [outcome.result.ran, outcome.applied, outcome.warnings[0].code, client.facts.size],
    [1, undefined, "delta_not_applied", 0],
  );
  await client.close();
  await server.close();
});

test("what is only informative changes nothing", async () => {
  const traffic = [];
  for (const extra of [{}, { metadata: { score: 3, selection_phase: "flesh", source_rules: ["x"] } }]) {
    const server = await httpServer((m) =>
      m.type === "intent_request"
        ? [
            "intent_response",
            {
              ...tools({ ...tool(), ...extra, unknown: 1 }),
              ...(extra.metadata ? { diagnostics: { rule_coverage: { total_rules: 1 } }, required_skills: [] } : {}),
            },
          ]
        : ["invoke_response", done()],
    );
    const client = await connect(server.url, { clock: () => 0 });
    await client.evaluate("look");
    await client.invoke("act", {}, { idempotencyKey: "k" });
    traffic.push(server.seen.map((s) => [s.method, s.url, s.message]));
    await client.close();
    await server.close();
  }
  assert.deepEqual(traffic[0], traffic[1]); // P-TOOL-20, P-COV-2, P-PROG-2
});

test("what the user agrees to is what is sent, and what was offered is forgotten at some point", async () => {
  const many = Array.from({ length: 1100 }, (_, i) =>
    tool({
      macro_id: `t-${i}`,
      name: `n${i}`,
      ...(i < 1099 ? {} : { safety: { requires_user_confirmation: true, side_effects: ["destructive"] } }),
    }),
  );
  const server = await httpServer((m) =>
    m.type === "intent_request" ? ["intent_response", tools(...many)] : ["invoke_response", done()],
  );
  const args = { n: 1 };
  const client = await connect(server.url, {
    confirm: (request) => {
      assert.deepEqual(request.args, { n: 1 });
      args.n = 2;
      return true;
    },
  });
  await client.evaluate("look");
  await client.invoke("t-1099", args);
  assert.deepEqual(server.posts("invoke_request")[0].message.payload.args, { n: 1 }); // P-CONF-3
  await fails(client.invoke("t-0"), UsageError);
  await client.invoke("t-1098");
  await client.close();
  await server.close();
});

test("a traceparent and the caller's own key go along", async () => {
  const server = await httpServer(both());
  const client = await connect(server.url);
  await client.evaluate("look", { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" });
  await client.invoke(
    "act",
    {},
    { idempotencyKey: "order:7", traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  );
  assert.deepEqual(
    server.posts().map((p) => Object.keys(p.message.extensions)),
    [["x-traceparent"], ["x-idempotency-key", "x-traceparent"]],
  );
  assert.equal(server.posts()[1].message.extensions["x-idempotency-key"], "order:7");
  await client.close();
  await server.close();
});
