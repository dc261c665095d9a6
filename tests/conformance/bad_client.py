"""A client that does everything wrong that it can: bad_client.py SERVER..."""
import json
import subprocess
import sys
import time

server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def say(kind, payload):
    server.stdin.write(json.dumps({"type": kind, "id": "same", "manglecp": "2026-02-draft", "payload": payload}) + "\n")


tools, sent = [], 0
try:
    say("intent_request", {"intent": {"name": "scene.start"}})
    for line in server.stdout:
        message = json.loads(line)
        tools = message["payload"].get("macro_tools", tools)
        if message["type"] in ("intent_response", "error", "manifest"):
            sent += 1
            if sent > 9:
                break
            if tools:
                say("invoke_request", {"macro_id": tools[0]["macro_id"], "args": {}})
            say("intent_request", {"intent": {"name": "scene.start"}})
        elif message["type"] == "invoke_response":
            break
    time.sleep(0.05)
except (BrokenPipeError, ValueError):
    pass
server.stdin.close()
server.wait(20)
