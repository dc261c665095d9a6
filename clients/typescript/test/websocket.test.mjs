// The client's role over WebSocket, against a server of raw frames; with our own socket for Node 20,
// and with the platform's where it has one.
import "./ends.mjs";
import assert from "node:assert/strict";
import test from "node:test";
import {
  AuthError,
  ConnectionError,
  connect,
  fact,
  IndeterminateError,
  NotReadyError,
  ServerError,
  TimeoutError,
} from "../dist/node.js";
import { connectOn } from "../dist/connect.js";
import { NodeSocket } from "../dist/links/upgrade.js";
import { platformSocket } from "../dist/links/websocket.js";
import {
  done,
  envelope,
  failed,
  fails,
  httpServer,
  manifest,
  serverFrame,
  sleep,
  tcpServer,
  tool,
  tools,
  until,
  wsServer,
} from "./support.mjs";

const own = (url, maxBytes) => new NodeSocket(url, maxBytes);
const http = { fetch: (url, init) => fetch(url, init), streams: true, conditional: true };
const SOCKETS = { "our own socket": own, "the platform's socket": platformSocket() };

const answers = (m) =>
  m.type === "intent_request"
    ? ["intent_response", tools(tool())]
    : m.type === "invoke_request"
      ? ["invoke_response", done()]
      : m.type === "authenticate"
        ? ["authenticate_response", { status: "authenticated", identity: "ann", permissions: [] }]
        : undefined;

for (const [kind, socket] of Object.entries(SOCKETS)) {
  const skip = socket ? false : "this Node has no WebSocket of its own";
  const on = (target, options = {}) => connectOn({ http, socket }, target, options);
  const scripted = (name, setup, body) =>
    test(`${name} (${kind})`, { skip }, async () => {
      const server = await wsServer({ answer: answers, ...setup });
      let client;
      try {
        client = setup.client === null ? undefined : await on(server.url, setup.client);
        await body({ server, client });
      } finally {
        await client?.close();
        await server.close();
      }
    });

  scripted(
    "nothing is sent before the manifest, and one message is one masked text frame",
    {
      onOpen: async (peer) => {
        await sleep(500);
        peer.early = peer.frames.length;
        peer.hello();
      },
    },
    async ({ server, client }) => {
      await client.evaluate("look", { params: { long: "é".repeat(70_000) } });
      await Promise.all(Array.from({ length: 50 }, () => client.evaluate("look")));
      const [peer] = server.peers;
      assert.equal(peer.early, 0); // P-WS-1, P-WS-2
      assert.equal(peer.messages.length, 51);
      assert.ok(peer.frames.every((f) => f.masked && f.fin && f.opcode === 1)); // P-WS-3, P-WS-4, P-WS-5
    },
  );

  scripted(
    "after a lost connection the client connects again, waits for the manifest and logs in again",
    {
      manifest: manifest({ auth: { required: true, schemes: ["bearer"] } }),
      client: { token: "secret" },
      onOpen: async (peer, n) => {
        if (n > 1) await sleep(400);
        peer.early = peer.frames.length;
        peer.hello();
      },
    },
    async ({ server, client }) => {
      await client.evaluate("look");
      server.peers[0].socket.destroy();
      await sleep(50);
      await client.evaluate("look");
      const [first, second] = server.peers;
      assert.equal(second.early, 0); // P-WS-7
      assert.deepEqual(
        second.messages.map((m) => m.type),
        ["authenticate", "intent_request"],
      ); // P-WS-8
      const ids = [...first.messages, ...second.messages].map((m) => m.id);
      assert.equal(new Set(ids).size, ids.length);
    },
  );

  scripted(
    "an invocation whose connection is cut is sent once, and asked for with its key",
    {
      answer: (m, peer) => {
        if (m.type !== "invoke_request" || peer.again)
          return m.type === "invoke_request"
            ? ["invoke_response", done(), { extensions: { "x-idempotent-replay": true } }]
            : answers(m);
        peer.socket.destroy();
        return undefined;
      },
      onOpen: (peer, n) => {
        peer.again = n > 1;
        peer.hello();
      },
    },
    async ({ server, client }) => {
      await client.evaluate("look");
      const error = await fails(client.invoke("act", { n: 1 }), IndeterminateError);
      await sleep(200);
      const sent = () => server.peers.flatMap((p) => p.messages).filter((m) => m.type === "invoke_request");
      assert.equal(sent().length, 1);
      assert.equal((await error.resume()).replayed, true);
      assert.equal(sent().length, 2);
      assert.equal(sent()[0].extensions["x-idempotency-key"], sent()[1].extensions["x-idempotency-key"]);
      assert.equal(server.peers.length, 2);
    },
  );

  scripted(
    "messages in pieces are put together, with pings between them",
    {
      answer: (m, peer) => {
        const bytes = Buffer.from(
          JSON.stringify(envelope("intent_response", m.id, tools(tool({ description: "é😀" })))),
        );
        for (let i = 0; i < bytes.length; i++) {
          peer.frame(i ? 0 : 1, bytes.subarray(i, i + 1), { fin: i === bytes.length - 1 });
          if (i === 5) peer.frame(9, "beat");
        }
      },
    },
    async ({ server, client }) => {
      assert.equal((await client.evaluate("look")).tools[0].description, "é😀"); // D-59
      await until(() => server.peers[0].frames.some((f) => f.opcode === 10 && f.data.toString() === "beat")); // P-WS-9
    },
  );

  scripted(
    "a server that drains and goes away is found again when it is back",
    {
      onOpen: (peer, n) => {
        peer.hello({ status: n === 1 ? "ready" : "booting" });
        if (n === 2) setTimeout(() => peer.hello(), 300);
      },
    },
    async ({ server, client }) => {
      await client.evaluate("look");
      const [peer] = server.peers;
      peer.hello({ status: "draining" });
      await until(() => client.manifest.status === "draining");
      const pending = client.evaluate("look");
      await sleep(150);
      assert.equal(peer.messages.length, 1); // P-READY-8
      peer.frame(8, Buffer.from([3, 233]));
      await pending;
      assert.deepEqual(
        server.peers.map((p) => p.messages.length),
        [1, 1],
      );
      assert.ok(server.peers[1].frames.length); // P-READY-4
    },
  );

  scripted("closing says goodbye", {}, async ({ server, client }) => {
    await client.evaluate("look");
    await client.close();
    await until(() => server.peers[0].closed?.readUInt16BE(0) === 1000); // P-WS-6
    await fails(client.evaluate("look"), ConnectionError, (e) => e.sent === false);
  });

  const broken = {
    "a masked frame": (peer) => peer.frame(1, "{}", { mask: true }),
    "bad UTF-8": (peer) => peer.frame(1, Buffer.from([0xff])),
    "a reserved opcode": (peer) => peer.frame(3),
    "a binary message": (peer) => peer.frame(2, "{}"),
    "what is no message": (peer) => peer.frame(1, "what?"),
    "a close of one byte": (peer) => peer.frame(8, Buffer.from([3])),
    "half a frame, and nothing more": (peer) => {
      peer.raw(serverFrame(1, "x".repeat(1000)).subarray(0, 100));
      peer.socket.end();
    },
  };
  for (const [what, how] of Object.entries(broken))
    scripted(
      `${what} in answer to an invocation leaves it open, and is not forgiven`,
      {
        answer: (m, peer) => (m.type === "invoke_request" ? how(peer) && undefined : answers(m)),
      },
      async ({ server, client }) => {
        await client.evaluate("look");
        await fails(client.invoke("act"), IndeterminateError);
        await until(() => server.peers[0].socket.destroyed || server.peers[0].closed, 8000);
        assert.equal((await client.evaluate("look")).tools.length, 1); // on a new connection
        assert.equal(server.peers.length, 2);
      },
    );

  scripted(
    "a message that is too large is not taken",
    {
      client: { maxAnswerBytes: 50_000 },
      answer: (m, peer) => (m.payload.intent?.params.big ? peer.frame(1, "x".repeat(60_000)) && undefined : answers(m)),
    },
    async ({ server, client }) => {
      await fails(client.evaluate("look", { params: { big: 1 } }), ConnectionError, (e) => e.sent === true);
      await until(() => server.peers[0].closed || server.peers[0].socket.destroyed);
    },
  );

  scripted("a server that sends no manifest is given up", { onOpen: () => {}, client: null }, async ({ server }) => {
    await fails(on(server.url, { connectTimeoutMs: 200 }), TimeoutError);
    await until(() => server.peers[0].socket.destroyed || server.peers[0].closed, 8000);
  });

  test(`a handshake that goes wrong is told (${kind})`, { skip }, async () => {
    for (const [how, what] of [
      [(p) => p.raw("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"), /403/],
      [
        (p) => p.raw("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/ws\r\nContent-Length: 0\r\n\r\n"),
        /redirects to/,
      ],
      [
        (p) =>
          p.raw("HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n"),
        /another key/,
      ],
      [
        (p, accept) =>
          p.raw(
            `HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: other\r\n\r\n`,
          ),
        /subprotocol/,
      ],
      [(p) => p.socket.end(), /./],
      [(p) => p.socket.end("nonsense\r\n\r\n"), /./],
      [() => {}, /within 300 ms/],
    ]) {
      const server = await wsServer({ handshake: how });
      await fails(on(server.url, { connectTimeoutMs: 300 }), ConnectionError, (e) => {
        if (socket === own) assert.match(e.message, what);
      });
      await server.close();
    }
    await fails(on("ws://127.0.0.1:9/"), ConnectionError);
  });
}

test("a server that answers no ping is given up, and one that does is not", async () => {
  for (const pong of [true, false]) {
    const server = await wsServer({ answer: answers });
    const client = await connectOn({ http, socket: (url, most) => new NodeSocket(url, most, 100) }, server.url);
    const [peer] = server.peers,
      pings = () => peer.frames.filter((f) => f.opcode === 9).length;
    let answered = 0;
    const timer = setInterval(() => {
      if (pong && pings() > answered) {
        answered++;
        peer.frame(10);
      }
    }, 5);
    await until(() => (pong ? pings() === 5 : peer.socket.destroyed)); // P-WS-9
    assert.equal(peer.socket.destroyed, !pong);
    await client.evaluate("look");
    assert.equal(server.peers.length, pong ? 1 : 2); // P-WS-7
    clearInterval(timer);
    await client.close();
    await server.close();
  }
});

test("the WebSocket is found through the manifest, and gets credentials at the manifest's own address alone", async () => {
  for (const here of [true, false]) {
    const ws = await wsServer({
      answer: answers,
      manifest: manifest({ auth: { required: true, schemes: ["bearer"] } }),
    });
    /* The manifest at one address announces a WebSocket at another: here, only because the test has two servers. */
    const page = await httpServer(undefined, { manifest: manifest({ extensions: { "x-websocket": ws.url } }) });
    if (here) {
      const relay = await tcpServer(() => {});
      await relay.close();
      page.state.manifest = manifest({ extensions: { "x-websocket": "/nothing" } });
      await fails(
        connect(page.url, { websocket: true, token: "secret", connectTimeoutMs: 2000 }),
        ConnectionError,
        (e) => assert.match(e.message, new RegExp(page.url.replace("http", "ws") + "/nothing")),
      );
      page.state.manifest = manifest();
      await fails(connect(page.url, { websocket: true }), ConnectionError, (e) =>
        assert.match(e.message, /announces no WebSocket/),
      );
      page.state.manifest = manifest({ extensions: { "x-websocket": "ftp://x/" } });
      await fails(connect(page.url, { websocket: true }), ConnectionError);
    } else {
      const client = await connect(page.url, { websocket: true, token: "secret" });
      await fails(client.evaluate("look"), AuthError, (e) =>
        assert.match(e.message, /not where the manifest came from/),
      );
      assert.equal(ws.peers[0].messages.length, 0);
      await client.close();
    }
    await page.close();
    await ws.close();
  }
});

test("where HTTP requests may be sent twice, the WebSocket is used if there is one", async () => {
  const platform = { http, socket: own, resends: true };
  const ws = await wsServer({ answer: answers });
  const page = await httpServer(answers, { manifest: manifest({ extensions: { "x-websocket": ws.url } }) });
  const told = async (options = {}) => {
    const notices = [],
      client = await connectOn(platform, page.url, {
        onNotice: (n) => notices.push(n),
        connectTimeoutMs: 500,
        ...options,
      });
    assert.equal((await client.evaluate("look")).tools.length, 1);
    await client.close();
    return [client.target.slice(0, 4), notices.length];
  };
  assert.deepEqual(await told(), ["ws:/", 0]);
  assert.deepEqual(await told({ websocket: false }), ["http", 0]);
  page.state.manifest = manifest({ extensions: { "x-websocket": "/nothing" } });
  assert.deepEqual(await told(), ["http", 1]);
  page.state.manifest = manifest();
  assert.deepEqual(await told(), ["http", 1]);
  page.state.manifest = manifest({
    auth: { required: true, schemes: ["bearer"] },
    extensions: { "x-websocket": ws.url },
  });
  assert.deepEqual(await told({ token: "secret" }), ["http", 1]); // the WebSocket is at another origin
  assert.equal(ws.peers.length, 1);
  await page.close();
  await ws.close();
});

test("a server that cannot be reached any more is tried a few times, and then told", async () => {
  const server = await wsServer({ answer: answers });
  const notices = [];
  const client = await connect(server.url, { onNotice: (n) => notices.push(n), facts: [fact("seen", "x", 1)] });
  await client.evaluate("look");
  await server.close();
  await sleep(50);
  await fails(client.evaluate("look"), ConnectionError, (e) => e.sent === false);
  assert.equal(notices.length, 4);
  await client.close();
});

test("errors of the server come through, and rate limits are waited for", async () => {
  let n = 0;
  const server = await wsServer({
    answer: (m) =>
      m.type === "intent_request"
        ? ++n === 1
          ? ["error", failed("rate_limited", { retry_after_ms: 50 })]
          : ["intent_response", tools(tool())]
        : ["error", failed("execution_failed")],
  });
  const client = await connect(server.url);
  assert.equal((await client.evaluate("look")).attempts, 2);
  await fails(client.invoke("act"), ServerError, (e) => e.code === "execution_failed");
  server.peers[0].hello({ status: "draining" });
  await until(() => client.manifest.status === "draining");
  const late = await connect(server.url, { readyTimeoutMs: 100 });
  server.peers[1].hello({ status: "draining" });
  await until(() => late.manifest.status === "draining");
  await fails(late.evaluate("look"), NotReadyError);
  await late.close();
  await client.close();
  await server.close();
});
