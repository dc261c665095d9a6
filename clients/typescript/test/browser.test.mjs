// The package in a real browser, where there is one: headless Chromium loads dist/ as it is, plays a
// conversation over HTTP and WebSocket and posts what it saw.
import "./ends.mjs";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { done, failed, httpServer, manifest, tool, tools, until, wsServer } from "./support.mjs";

const CHROMIUM = "/usr/bin/chromium";
const dist = fileURLToPath(new URL("../dist/", import.meta.url));

const PAGE = `<!doctype html><title>manglecp</title><script type="module">
import { connect, fact, float, IndeterminateError } from "/dist/index.js";
const seen = {};
try {
  const client = await connect(location.origin, { token: "secret", websocket: false, facts: [fact("seen", "x", 9007199254740993n), fact("seen", "y", float(1))],
    confirm: () => true, confirmationKey: "YSBrZXkgb2YgdGhlIGNvbmZpcm1pbmcgcHJvZ3JhbSE" });
  seen.tools = (await client.evaluate("look")).tools.map((t) => t.name);
  seen.result = (await client.invoke("act", { n: 1 })).result;
  try {
    await client.invoke("lose");
  } catch (error) {
    seen.lost = error instanceof IndeterminateError;
    seen.resumed = (await error.resume()).result;
  }
  await client.close();
  const other = await connect(location.origin, { token: "secret" });
  seen.target = other.target;
  seen.overWebSocket = (await other.evaluate("look")).tools.map((t) => t.name);
  try {
    await other.invoke("act");
  } catch (error) {
    seen.lostOverWebSocket = error instanceof IndeterminateError;
  }
  await other.close();
} catch (error) {
  seen.error = String(error.stack);
}
await fetch("/result", { method: "POST", body: JSON.stringify({ type: "result", seen }) });
</script>`;

test(
  "the package works in Chromium",
  { skip: existsSync(CHROMIUM) ? false : "there is no /usr/bin/chromium" },
  async () => {
    const key = Buffer.from("a key of the confirming program!");
    let seen,
      lost = 0;
    const auth = { required: true, schemes: ["bearer"] };
    const ws = await wsServer({
      manifest: manifest({ auth }),
      answer: (m, peer) => {
        if (m.type === "authenticate")
          return ["authenticate_response", { status: "authenticated", identity: "ann", permissions: [] }];
        return m.type === "intent_request" ? ["intent_response", tools(tool())] : void peer.socket.destroy();
      },
    });
    const offered = [
      tool({ safety: { requires_user_confirmation: true, side_effects: ["destructive"] } }),
      tool({ macro_id: "lose-0", name: "lose" }),
    ];
    const server = await httpServer(
      (m, _request, response) => {
        if (m.type === "result") return ((seen = m.seen), void response.end());
        if (m.type === "intent_request") return ["intent_response", tools(...offered)];
        if (m.payload.macro_id === "lose-0")
          return ++lost === 1 ? void response.destroy() : ["invoke_response", done({ again: lost })];
        if (!m.payload.confirmation_token)
          return ["error", failed("confirmation_required", { details: { challenge: "v1.1.n.t" } })];
        return [
          "invoke_response",
          done({
            signed:
              m.payload.confirmation_token ===
              `v1.1.n.t.${createHmac("sha256", key).update("v1.1.n.t").digest("base64url")}`,
          }),
        ];
      },
      { manifest: manifest({ auth, extensions: { "x-websocket": "/ws", "x-idempotency-only": true } }) },
    );
    server.server.on("upgrade", (request, socket) => {
      // to the other server, byte by byte
      const on = net.connect(ws.port, "127.0.0.1");
      on.write(`GET /ws HTTP/1.1\r\n${request.rawHeaders.map((h, i) => (i % 2 ? `${h}\r\n` : `${h}: `)).join("")}\r\n`);
      on.pipe(socket).pipe(on);
      for (const end of [on, socket]) end.on("error", () => {}).on("close", () => (on.destroy(), socket.destroy()));
    });
    const serve = server.server.listeners("request")[0];
    server.server.removeAllListeners("request");
    server.server.on("request", (request, response) => {
      if (request.url === "/") return response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
      if (!request.url.startsWith("/dist/")) return serve(request, response);
      const file = join(dist, normalize(request.url.slice(6)));
      return response.writeHead(200, { "Content-Type": "text/javascript" }).end(readFileSync(file));
    });
    const profile = mkdtempSync(join(tmpdir(), "manglecp-chromium-"));
    const browser = spawn(
      CHROMIUM,
      [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        `--user-data-dir=${profile}`,
        server.url,
      ],
      { stdio: "ignore", detached: true },
    );
    try {
      await until(() => seen || browser.exitCode !== null, 50_000);
      assert.equal(seen?.error, undefined);
      assert.deepEqual([seen.tools, seen.result, seen.overWebSocket], [["act", "lose"], { signed: true }, ["act"]]);
      const intent = server.posts("intent_request")[0];
      assert.equal(intent.headers.authorization, "Bearer secret");
      assert.deepEqual(
        intent.message.payload.facts.map((f) => f.args[1]),
        [{ _type: "int64", value: "9007199254740993" }, 1],
      );
      assert.ok(!server.seen.some((s) => s.method === "GET" && s.headers.authorization));
      /* A browser may send a request again by itself when a connection that was used before breaks: then the
       * same message with the same key comes twice. */
      const keys = new Set(
        server
          .posts("invoke_request")
          .filter((p) => p.message.payload.macro_id === "lose-0")
          .map((p) => p.message.extensions["x-idempotency-key"]),
      );
      assert.equal(keys.size, 1);
      console.log(`over HTTP: told that the answer was lost: ${Boolean(seen.lost)}; the invocation came ${lost} times`);
      /* So a browser goes on over the WebSocket that is announced: there nothing is sent twice. */
      assert.deepEqual([seen.target, seen.lostOverWebSocket], [`${server.url.replace("http", "ws")}/ws`, true]);
      assert.deepEqual(
        ws.peers.flatMap((p) => p.messages).map((m) => m.type),
        ["authenticate", "intent_request", "invoke_request"],
      );
    } finally {
      try {
        process.kill(-browser.pid, "SIGKILL");
      } catch {
        // it has ended
      }
      await server.close();
      await ws.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);
