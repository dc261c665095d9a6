"""The peer on the Python SDK: python_peer.py TOOLS [PORT], over standard input and output, or HTTP with sessions and answers
as JSON, which costs it least."""
import sys
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import Field

Place = Annotated[str, Field(min_length=1, description="Where to look: a name, or a path")]
Depth = Annotated[int, Field(ge=0, le=9, description="How far to go")]


def look(part):
    def handler(place: Place, depth: Depth = 2) -> str:
        return f"part {part} at {place}, {depth} deep"
    return handler


server = MCPServer("peer", version="1.0.0", log_level="ERROR")
for i in range(int(sys.argv[1])):
    server.add_tool(look(i), name=f"tool_{i:04}", structured_output=False,
                    description=f"Looks into part {i} of what the system says of itself, and tells what it found there.")
if len(sys.argv) > 2:
    server.run("streamable-http", port=int(sys.argv[2]), json_response=True)
else:
    server.run("stdio")
