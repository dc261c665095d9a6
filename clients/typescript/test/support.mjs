// Scripted servers: they do exactly what a test says, and write down everything that reaches them.
import { createHash } from "node:crypto";
import http from "node:http";
import net from "node:net";
import test from "node:test";
import * as client from "../dist/node.js";

export const VERSION = "2026-02-draft";

export function manifest(changes = {}) {
  return {
    server_name: "scripted",
    server_version: "1.0.0",
    protocol: { manglecp: VERSION, supported_versions: [VERSION], conformance_level: 2 },
    status: "ready",
    domain: { id: "scripted", description: "Says what a test wants" },
    endpoints: { intent_eval: "/e", macro_invoke: "/i" },
    intents: [
      { name: "look", description: "Look", required_facts: [], optional_facts: ["seen", "event", "derived_thing"] },
      { name: "need", description: "Needs a fact", required_facts: ["seen"] },
    ],
    facts_profile: {
      time_formats: ["rfc3339"],
      schema_uri: null,
      predicates: [
        { predicate: "seen", arity: 2, arg_types: ["string", "any"], arg_names: ["what", "value"], direction: "input" },
        { predicate: "event", arity: 1, arg_types: ["string"], temporal: true, direction: "both" },
        { predicate: "derived_thing", arity: 1, arg_types: ["any"], direction: "both" },
        { predicate: "other", arity: 1, arg_types: ["string"] },
        { predicate: "told", arity: 1, arg_types: ["string"], direction: "output" },
        { predicate: "unnamed", arity: 1, arg_types: ["number"] },
      ],
    },
    capabilities: { temporal: true, named_args: true, external_predicates: [] },
    limits: { max_message_bytes: 16777216, max_facts_per_request: 1000, max_derived_facts: 1000 },
    auth: { required: false, schemes: [], token_url: null },
    extensions: { "x-idempotency-only": true },
    ...changes,
  };
}

export const envelope = (type, id, payload, more = {}) => ({ type, id, manglecp: VERSION, payload, ...more });

export function tool(changes = {}) {
  return {
    macro_id: "act-0123456789ab",
    name: "act",
    disclosure_level: "full",
    description: "Acts.",
    input_schema: { type: "object", additionalProperties: false, properties: { n: { type: "integer" } } },
    safety: { requires_user_confirmation: false, side_effects: ["none"], reversible: false, idempotent: false },
    ...changes,
  };
}

export const tools = (...list) => ({ eval_time_used: "2026-07-04T06:00:00Z", eval_duration_ms: 1, macro_tools: list });
export const done = (result = { ok: true }, more = {}) => ({
  result,
  state_delta: { assert: [], retract: [] },
  observability: { summary: "Done.", events: [] },
  ...more,
});
export const failed = (code, more = {}) => ({
  code,
  message: `It is ${code}.`,
  recoverable: false,
  details: {},
  ...more,
});

/** An HTTP server. `answer(message, request, response)` returns [type, payload], or undefined if it has
 * answered by itself. `seen` has every request: {method, url, headers, message, at}. */
export async function httpServer(
  answer = () => ["intent_response", tools(tool())],
  { manifest: told = manifest(), headers = {} } = {},
) {
  const seen = [];
  const state = { manifest: told, headers };
  const server = http.createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", async () => {
      const body = Buffer.concat(pieces).toString();
      const message = body ? JSON.parse(body) : undefined;
      const entry = {
        method: request.method,
        url: request.url,
        headers: request.headers,
        message,
        at: performance.now(),
      };
      seen.push(entry);
      const send = (status, value, more = {}) => {
        response.writeHead(status, { "Content-Type": "application/json", ...more });
        response.end(typeof value === "string" ? value : JSON.stringify(value));
      };
      if (request.method === "GET" && request.url === "/.well-known/manglecp/manifest.json") {
        const now = typeof state.manifest === "function" ? state.manifest(request, response, send) : state.manifest;
        if (now) send(200, envelope("manifest", null, now), state.headers);
        return;
      }
      if (!message) return send(404, "nothing here", { "Content-Type": "text/plain" });
      const out = await answer(message, request, response, send);
      if (!out) return;
      const [type, payload, more] = out;
      const status =
        { server_not_ready: 503, rate_limited: 429, macro_not_found: 404 }[payload.code] ??
        (type === "error" ? 400 : 200);
      send(status, envelope(type, message.id, payload, more));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref(); // a test that fails must not hang
  return {
    seen,
    state,
    server,
    url: `http://127.0.0.1:${server.address().port}`,
    posts: (type) => seen.filter((s) => s.message && (!type || s.message.type === type)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A TCP server that hands each connection over. */
export async function tcpServer(onSocket) {
  const sockets = new Set();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref(); // a test that fails must not hang
  return {
    port: server.address().port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// ---- WebSocket, the server's end, by hand

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export function serverFrame(opcode, data = Buffer.alloc(0), { fin = true, mask = false, rsv = 0 } = {}) {
  const bytes = Buffer.from(data);
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode];
  const m = mask ? 0x80 : 0;
  if (bytes.length < 126) head.push(m | bytes.length);
  else if (bytes.length < 65536) head.push(m | 126, bytes.length >> 8, bytes.length & 255);
  else {
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(bytes.length));
    head.push(m | 127, ...size);
  }
  if (!mask) return Buffer.concat([Buffer.from(head), bytes]);
  const key = Buffer.from([1, 2, 3, 4]);
  return Buffer.concat([Buffer.from(head), key, bytes.map((b, i) => b ^ key[i & 3])]);
}

/** The frames in `bytes`, as far as they are whole: [{opcode, fin, masked, data}], rest. */
export function clientFrames(bytes) {
  const frames = [];
  for (;;) {
    if (bytes.length < 2) break;
    let length = bytes[1] & 127,
      at = 2;
    if (length === 126) {
      if (bytes.length < 4) break;
      length = bytes.readUInt16BE(2);
      at = 4;
    } else if (length === 127) {
      if (bytes.length < 10) break;
      length = Number(bytes.readBigUInt64BE(2));
      at = 10;
    }
    const masked = (bytes[1] & 0x80) !== 0;
    if (bytes.length < at + (masked ? 4 : 0) + length) break;
    const key = masked ? bytes.subarray(at, at + 4) : Buffer.alloc(4);
    at += masked ? 4 : 0;
    frames.push({
      opcode: bytes[0] & 15,
      fin: (bytes[0] & 0x80) !== 0,
      masked,
      data: Buffer.from(bytes.subarray(at, at + length).map((b, i) => b ^ key[i & 3])),
    });
    bytes = bytes.subarray(at + length);
  }
  return [frames, bytes];
}

/** A WebSocket server. `onOpen(peer)` is called for each; peer.send(message), peer.frame(...), and
 * peer.onMessage. `answer` as for HTTP, by default; `peers` has all of them, with what they got. */
export async function wsServer({ onOpen, answer, handshake, manifest: told = manifest() } = {}) {
  const peers = [];
  const server = await tcpServer((socket) => {
    const peer = {
      socket,
      frames: [],
      messages: [],
      opened: performance.now(),
      head: "",
      raw: (bytes) => socket.destroyed || socket.write(bytes),
      frame: (...args) => peer.raw(serverFrame(...args)),
      send: (message) => peer.frame(1, JSON.stringify(message)),
      hello: (changes = {}) => peer.send(envelope("manifest", null, { ...told, ...changes })),
    };
    let input = Buffer.alloc(0),
      upgraded = false;
    socket.on("data", (bytes) => {
      input = Buffer.concat([input, bytes]);
      if (!upgraded) {
        const end = input.indexOf("\r\n\r\n");
        if (end < 0) return;
        peer.head = input.subarray(0, end).toString();
        input = input.subarray(end + 4);
        upgraded = true;
        const key = /sec-websocket-key: (\S+)/i.exec(peer.head)[1];
        const accept = createHash("sha1")
          .update(key + MAGIC)
          .digest("base64");
        if (handshake) return handshake(peer, accept);
        peer.raw(
          `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
        );
        peers.push(peer);
        (onOpen ?? ((p) => p.hello()))(peer, peers.length);
      }
      const [frames, rest] = clientFrames(input);
      input = rest;
      for (const frame of frames) {
        peer.frames.push(frame);
        if (frame.opcode === 8) {
          peer.closed = frame.data;
          peer.raw(serverFrame(8, frame.data));
          socket.end();
        }
        if (frame.opcode !== 1) continue;
        const message = JSON.parse(frame.data.toString());
        peer.messages.push(message);
        const out = answer?.(message, peer);
        if (out) peer.send(envelope(out[0], message.id, out[1], out[2]));
      }
    });
  });
  return { ...server, peers, url: `ws://127.0.0.1:${server.port}/ws` };
}

/** As the package's. With MANGLECP_TEST_CA, over the HTTP of our own that certificates need. */
export function connect(target, options) {
  const { MANGLECP_TEST_CA: caFile } = process.env;
  return client.connect(target, caFile ? { caFile, ...options } : options);
}

// ---- waiting

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function until(condition, ms = 5000) {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`it did not come to pass within ${ms} ms: ${condition}`);
    await sleep(5);
  }
}

export async function fails(promise, kind, check = () => true) {
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof kind)) throw new Error(`${kind.name} expected, got ${error?.name}: ${error?.stack}`);
    if (check(error) === false) throw new Error(`not as expected: ${error.message}`);
    return error;
  }
  throw new Error(`${kind.name} expected, but nothing failed`);
}

/** A test with a server and a client that are ended whatever happens. */
export function scripted(name, setup, body) {
  test(name, async () => {
    const server = await httpServer(setup.answer, setup);
    let client;
    try {
      client =
        setup.client === null
          ? undefined
          : await connect(server.url, typeof setup.client === "function" ? setup.client(server) : setup.client);
      await body({ server, client });
    } finally {
      await client?.close();
      await server.close();
    }
  });
}

/** Answers an intent with one tool, and its invocation with `outcome`. */
export const both =
  (outcome = done()) =>
  (m) =>
    m.type === "intent_request" ? ["intent_response", tools(tool())] : ["invoke_response", outcome];
