// The peer of bench_actions: an MCP server on the TypeScript SDK with one tool that does nothing.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "peer", version: "1.0.0" });
server.registerTool("nothing", { description: "Does nothing." }, async () => ({ content: [] }));
await server.connect(new StdioServerTransport());
