// A whole conversation with the bridge by the official TypeScript clients:
//   node sdk_clients.mjs 1|2 FOLDER-WITH-THEIR-PACKAGES URL|COMMAND...
// Prints a line for each thing that is asked: "ok what" or "not ok what", and what came instead on standard error.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [generation, folder, ...target] = process.argv.slice(2);
const require = createRequire(folder + "/package.json");
const load = name => import(pathToFileURL(require.resolve(name)).href);
const result = (holds, what, got) => {
    console.log(`${holds ? "ok" : "not ok"} ${what}`);
    if (!holds) console.error(what, JSON.stringify(got, null, 1));
};
const text = r => r.content.map(block => block.text).join("\n");
const patience = { timeout: 90000 };
const web = target[0].startsWith("http");
const answers = [], asked = [];
const answer = async request => {
    asked.push(request.params.message);
    return answers.shift() ?? { action: "cancel" };
};

function transport(Http, Stdio) {
    if (web) return new Http(new URL(target[0]));
    return new Stdio({ command: target[0], args: target.slice(1), env: { ...process.env }, stderr: "ignore" });
}

async function client1() {
    const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const { ElicitRequestSchema } = await load("@modelcontextprotocol/sdk/types.js");
    const client = new Client({ name: "c", version: "1" }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler(ElicitRequestSchema, answer);
    await client.connect(transport(StreamableHTTPClientTransport, StdioClientTransport), patience);
    return { client, call: (name, args, more) => client.callTool({ name, arguments: args }, undefined, { ...patience, ...more }) };
}

async function client2() {
    const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
    const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
    const client = new Client({ name: "c", version: "1" },
                              { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } });
    client.setRequestHandler("elicitation/create", answer);
    await client.connect(transport(StreamableHTTPClientTransport, StdioClientTransport), patience);
    result(client.getNegotiatedProtocolVersion() === "2026-07-28", "the version is 2026-07-28");
    return { client, call: (name, args, more) => client.callTool({ name, arguments: args }, { ...patience, ...more }) };
}

const { client, call } = await (generation === "1" ? client1() : client2());
const tools = (await client.listTools()).tools.map(tool => tool.name);
result(tools.join() === "intent,run,state", "the three tools are listed", tools);

let said = await call("intent", { intent: "fx.mark", facts: { fx_ban: ["fx_echo"] } });
const work = said.structuredContent?.work;
result(!said.isError && work && said.structuredContent.tools.includes("fx_mark"), "an intent brings a tool and a handle", said);

const steps = [];
said = await call("run", { tool: "fx_mark", args: { label: "door", count: 5 }, work }, { onprogress: p => steps.push(p.progress) });
result(!said.isError && text(said).includes("fx.recent"), "a macro-tool runs, and suggests", said);
result(steps.length > 0 && steps.every((s, i) => !i || s > steps[i - 1]), "its progress is heard, and rises", steps);

said = await call("state", { show: "facts", work });
result(text(said).includes("fx_note") && !text(said).includes("fx_ban"), "its delta is applied", said);
said = await call("state", { follow: 1, work });
result(said.structuredContent?.tools.join() === "fx_recent", "the suggestion is followed", said);

await call("intent", { intent: "fx.danger", work });
for (const [what, given, runs] of [["declines", { action: "decline" }, false],
                                   ["does not tick the box", { action: "accept", content: { agree: false } }, false],
                                   ["agrees", { action: "accept", content: { agree: true } }, true]]) {
    answers.push(given);
    said = await call("run", { tool: "fx_danger", args: { target: "x" }, work });
    const question = asked.shift();
    result(question?.includes("fx_danger") && !answers.length && !asked.length && Boolean(said.isError) !== runs,
           `a person is asked, and ${what}: it ${runs ? "runs" : "does not run"}`, [question, said]);
}

said = await call("run", { tool: "none", work });
result(said.isError, "a tool that is not there is told the model", said);
result(await call("none", {}).then(() => false, e => e.code === -32602), "an unknown tool is an error of the protocol");
result((await client.readResource({ uri: "manglecp://manifest" })).contents.length === 1, "the manifest is read");
const goals = await client.complete({ ref: { type: "ref/prompt", name: "intent" }, argument: { name: "goal", value: "fx.m" } });
result(goals.completion.values.includes("fx.mark"), "a goal is completed", goals);
await client.close();
