// Plain tools (manglecp mcp --direct) by the official TypeScript clients:
//   node sdk_plain.mjs 1|2 FOLDER-WITH-THEIR-PACKAGES COMMAND...
// The domain is one that `manglecp new` makes, and Ann has come in. Prints lines as sdk_clients.mjs does.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [generation, folder, ...target] = process.argv.slice(2);
const require = createRequire(folder + "/package.json");
const load = name => import(pathToFileURL(require.resolve(name)).href);
const result = (holds, what, got) => {
    console.log(`${holds ? "ok" : "not ok"} ${what}`);
    if (!holds) console.error(what, JSON.stringify(got, null, 1));
};
const patience = { timeout: 90000 };
const child = { command: target[0], args: target.slice(1), env: { ...process.env }, stderr: "ignore" };
let told;
const change = new Promise(resolve => { told = resolve; });

async function client1() {
    const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
    const { ToolListChangedNotificationSchema } = await load("@modelcontextprotocol/sdk/types.js");
    const client = new Client({ name: "c", version: "1" });
    client.setNotificationHandler(ToolListChangedNotificationSchema, told);
    await client.connect(new StdioClientTransport(child), patience);
    return { client, call: (name, args) => client.callTool({ name, arguments: args }, undefined, patience) };
}

async function client2() {
    const { Client } = await load("@modelcontextprotocol/client");
    const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
    const client = new Client({ name: "c", version: "1" }, {});
    client.setNotificationHandler("notifications/tools/list_changed", told);
    await client.connect(new StdioClientTransport(child), patience);
    return { client, call: (name, args) => client.callTool({ name, arguments: args }, patience) };
}

const { client, call } = await (generation === "1" ? client1() : client2());
const list = async () => (await client.listTools()).tools;
const tools = await list();
result(tools.length === 1 && tools[0].name === "greet" && tools[0].annotations.readOnlyHint === true, "the intent's tool is listed", tools);
const said = await call("greet", { name: "Ann" });
result(!said.isError && said.structuredContent?.to === "Ann", "it is called by its own name", said);
await change;
result((await list()).length === 0, "the list that it changed is told, and read again");
const again = await call("greet", { name: "Ann" });
result(again.isError && again.content[0].text.includes("not offered any more"), "what is not offered any more says so", again);
await client.close();
