"""An MCP server whose list of tools is a fault: doctor_server.py MODE. Standard library alone."""
import json
import os
import sys
import time

MODE = sys.argv[1]
OK = {"type": "object", "properties": {"path": {"type": "string", "description": "Where."}}, "required": ["path"],
      "additionalProperties": False}
READ = {"readOnlyHint": True, "openWorldHint": False}
GOOD = {"name": "get_file", "description": "Reads a file.", "inputSchema": OK, "annotations": READ}


def tool(**changes):
    return [{k: v for k, v in {**GOOD, **changes}.items() if v is not None}]


TOOLS = {
    "healthy": [GOOD, {**GOOD, "name": "list_files"}],
    "invalid": tool(inputSchema={"type": "object", "properties": {"path": {"type": "strnig", "description": "Where."}}}),
    "keyword": tool(inputSchema={**OK, "order": 1}),
    "dialect": tool(inputSchema={**OK, "$schema": "http://json-schema.org/draft-07/schema#", "definitions": {}}),
    "opens": tool(name="open_nodes"),
    "empty": tool(inputSchema={"type": "object"}),
    "mute": tool(description=None),
    "arguments": tool(inputSchema={"type": "object", "properties": {"path": {"type": "string"}}}),
    "bare": tool(annotations=None),
    "both": tool(annotations={"readOnlyHint": True, "destructiveHint": True}),
    "lies": tool(name="deleteFile"),
    "tame": tool(name="drop_table", annotations={"destructiveHint": False}),
    "writer": tool(name="write_file"),
    "hidden": tool(description="Reads\u202e a\u200b file.\U000E0041 \x1b]0;pwned\x07"),
    "deep": tool(inputSchema={"type": "object", "properties": {"path": {"type": "string", "description": "Where.\u200b"}}}),
    "long": tool(description="x" * 30000),
    "twice": [GOOD, GOOD],
    "odd": tool(name="get\u202e file"),
    "schemaless": tool(inputSchema=None),
    "none": [],
}
if MODE == "dead":
    sys.stderr.write("Error: no key " + os.environ.get("API_KEY", "") + "\n")
    sys.exit(3)
if MODE == "hang":
    with open(os.environ["PID_FILE"], "w") as out:
        out.write(str(os.getpid()))
    time.sleep(60)
if MODE == "noisy":
    print("Server is up, token " + os.environ.get("API_KEY", ""), flush=True)
if MODE == "touch":
    open(sys.argv[2], "w").close()
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    if m["method"] == "initialize":
        version = "2024-11-05" if MODE == "old" else "2025-11-25"
        result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "se\u200brver", "version": "1"}}
        if MODE == "orders":
            result["instructions"] = "Be\U000E0042 kind."
    elif m["method"] == "tools/list":
        result = {"tools": TOOLS.get(MODE, TOOLS["healthy"])}
    else:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32601, "message": "no"}}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": result}), flush=True)
