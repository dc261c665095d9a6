// The official TypeScript clients against mcp_everything, over standard streams and HTTP:
//   node official_clients.mjs 1|2 PROGRAM|URL FOLDER-WITH-THEIR-PACKAGES
// Prints a line for each thing that is true: "ok what" or "not ok what".
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [generation, target, folder] = process.argv.slice(2);
const require = createRequire(folder + "/package.json");
const load = name => import(pathToFileURL(require.resolve(name)).href);
const result = (holds, what) => console.log(`${holds ? "ok" : "not ok"} ${what}`);
const text = r => r.content[0].text;

async function client1() {
    const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const { ElicitRequestSchema } = await load("@modelcontextprotocol/sdk/types.js");
    const client = new Client({ name: "c", version: "1" }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { username: "Ada", email: "a@b.c" } }));
    await client.connect(target.startsWith("http") ? new StreamableHTTPClientTransport(new URL(target))
                                                   : new StdioClientTransport({ command: target }));
    return { client, call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options) };
}

async function client2() {
    const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
    const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
    const client = new Client({ name: "c", version: "1" },
                              { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } });
    client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { username: "Ada", email: "a@b.c" } }));
    await client.connect(target.startsWith("http") ? new StreamableHTTPClientTransport(new URL(target))
                                                   : new StdioClientTransport({ command: target }));
    result(client.getNegotiatedProtocolVersion() === "2026-07-28", "the version is 2026-07-28");
    return { client, call: (name, args, options) => client.callTool({ name, arguments: args }, options) };
}

const { client, call } = await (generation === "1" ? client1() : client2());
result(client.getServerVersion().name === "everything", "the server says who it is");
result((await client.listTools()).tools.length === 27, "all tools are listed");
result((await client.listPrompts()).prompts.length === 5, "all prompts are listed");
result((await client.listResources()).resources.length === 3, "all resources are listed");
result(text(await call("test_simple_text", {})).startsWith("This is a simple text"), "a tool is called");
result(text(await call("test_elicitation", { message: "m" })).includes('"username":"Ada"'), "a person is asked");
let heard = 0;
await call("test_tool_with_progress", {}, { onprogress: () => heard++ });
result(heard === 3, "progress is heard three times");
const stop = new AbortController();
setTimeout(() => stop.abort(), 50);
result(await call("test_tool_with_progress", {}, { signal: stop.signal }).then(() => false, () => true),
       "a call is cancelled");
result(await call("none", {}).then(() => false, e => e.code === -32602), "an unknown tool is an error of the protocol");
result((await client.readResource({ uri: "test://static-text" })).contents.length === 1, "a resource is read");
await client.close();
