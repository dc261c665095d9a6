#!/usr/bin/env python3
"""replay.py CATALOGUE SERVER: an MCP server over standard input and output that offers what SERVER offered when it was
recorded, and whose tools do nothing. So a domain can be imported again and again, and nobody's files are at stake."""
import json
import sys


def answer(method, params, server):
    if method == "initialize":
        said = {"protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}},
                "serverInfo": {"version": "0", **server["info"]}}
        return said | ({"instructions": server["instructions"]} if server.get("instructions") else {})
    if method == "tools/list":
        return {"tools": server["tools"]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "nothing was done"}]}
    return {} if method == "ping" else None


def main(catalogue, name):
    with open(catalogue, encoding="utf-8") as text:
        server = json.load(text)["servers"][name]
    server["info"] = server.get("info") or {"name": name}
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        result = answer(message["method"], message.get("params") or {}, server)
        what = {"error": {"code": -32601, "message": "not offered"}} if result is None else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **what}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
