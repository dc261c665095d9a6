// Over TLS, with a certificate made here: trusted when Node is told so, refused when not.
import "./ends.mjs";
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { done, httpServer, manifest, tool, tools, wsServer } from "./support.mjs";

const CLIENT = `
import { connect } from ${JSON.stringify(new URL("../dist/node.js", import.meta.url).href)};
const seen = [];
for (const options of [{}, { websocket: true }]) {
  try {
    const client = await connect(process.argv[1], options);
    await client.evaluate("look");
    seen.push([client.target.split(":")[0], (await client.invoke("act")).result.ok]);
    await client.close();
  } catch (error) {
    seen.push([error.name, error.sent, error.message]);
  }
}
console.log(JSON.stringify(seen));`;

test(
  "TLS is used and checked, and not left",
  { skip: spawnSync("openssl", ["version"]).status === 0 ? false : "openssl is not installed" },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "manglecp-tls-"));
    const cert = join(folder, "cert.pem"),
      key = join(folder, "key.pem");
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-keyout",
        key,
        "-out",
        cert,
      ],
      { stdio: "ignore" },
    );
    const answers = (m) =>
      m.type === "intent_request" ? ["intent_response", tools(tool())] : ["invoke_response", done()];
    const ws = await wsServer({ answer: answers });
    const plain = await httpServer(answers, { manifest: manifest({ extensions: { "x-websocket": "/ws" } }) });
    const server = https.createServer(
      { cert: readFileSync(cert), key: readFileSync(key) },
      plain.server.listeners("request")[0],
    );
    server.on("upgrade", (request, socket) => {
      const on = net.connect(ws.port, "127.0.0.1");
      on.write(`GET /ws HTTP/1.1\r\n${request.rawHeaders.map((h, i) => (i % 2 ? `${h}\r\n` : `${h}: `)).join("")}\r\n`);
      on.pipe(socket).pipe(on);
      for (const end of [on, socket]) end.on("error", () => {}).on("close", () => (on.destroy(), socket.destroy()));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `https://127.0.0.1:${server.address().port}`;
    const run = async (env) =>
      JSON.parse(
        (
          await promisify(execFile)(process.execPath, ["--input-type=module", "-e", CLIENT, url], {
            env: { ...process.env, ...env },
          })
        ).stdout,
      );
    try {
      assert.deepEqual(await run({ NODE_EXTRA_CA_CERTS: cert }), [
        ["https", true],
        ["wss", true],
      ]); // P-TLS-1
      for (const seen of await run({}))
        assert.deepEqual([seen[0], seen[1], /certificate|CERT/.test(seen[2])], ["ConnectionError", false, true]);
      plain.state.manifest = manifest({
        endpoints: { intent_eval: `${plain.url}/e`, macro_invoke: `${plain.url}/i` },
        extensions: { "x-websocket": ws.url },
      });
      const before = plain.posts().length;
      for (const seen of await run({ NODE_EXTRA_CA_CERTS: cert })) assert.match(seen[2], /read over TLS/);
      assert.equal(plain.posts().length, before);
    } finally {
      server.closeAllConnections();
      server.close();
      await plain.close();
      await ws.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
