"""A small MCP server for tests: server.py TOOLS.json [slow|hang|exits|mute]. The file has the list of its tools, as they
go out. Standard library alone."""
import json
import sys
import time

MODE = sys.argv[2] if len(sys.argv) > 2 else ""
if MODE == "exits":
    sys.exit("no configuration found")
for line in sys.stdin:
    m = json.loads(line)
    if MODE == "hang":
        time.sleep(1000)
    if "id" not in m:
        continue
    answer = {"jsonrpc": "2.0", "id": m["id"]}
    if m["method"] == "initialize":
        if MODE == "slow":
            time.sleep(0.5)
        answer["result"] = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    elif m["method"] == "tools/list" and MODE == "mute":
        answer["error"] = {"code": -32000, "message": ""}
    elif m["method"] == "tools/list":
        print('{"jsonrpc": "2.0", "id": %s, "result": {"tools": %s}}' % (json.dumps(m["id"]), " ".join(open(sys.argv[1]).read().split("\n"))),
              flush=True)
        continue
    elif m["method"] == "tools/call":
        answer["result"] = {"content": [{"type": "text", "text": json.dumps(m["params"]["arguments"])}]}
    else:
        answer["error"] = {"code": -32601, "message": "not offered"}
    print(json.dumps(answer), flush=True)
