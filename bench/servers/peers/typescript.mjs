// The peer on the TypeScript SDK: node typescript.mjs TOOLS [PORT], over standard input and output, or HTTP with sessions
// and answers as JSON, which costs it least.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod/v4";

const [tools, port] = process.argv.slice(2).map(Number);
const inputSchema = z.object({
  place: z.string().min(1).describe("Where to look: a name, or a path"),
  depth: z.number().int().min(0).max(9).default(2).describe("How far to go"),
});

function made() {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  for (let i = 0; i < tools; i++) {
    const name = `tool_${String(i).padStart(4, "0")}`;
    const description = `Looks into part ${i} of what the system says of itself, and tells what it found there.`;
    server.registerTool(name, { description, inputSchema }, async ({ place, depth }) => ({
      content: [{ type: "text", text: `part ${i} at ${place}, ${depth} deep` }],
    }));
  }
  return server;
}

if (!port) {
  serveStdio(made);
} else {
  const sessions = new Map();
  createServer(async (request, response) => {
    let transport = sessions.get(request.headers["mcp-session-id"]);
    if (!transport) {
      transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await made().connect(transport);
    }
    await transport.handleRequest(request, response);
  }).listen(port, "127.0.0.1");
}
