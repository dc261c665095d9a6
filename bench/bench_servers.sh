# The server beside servers on the SDKs of MCP: bench/README.md, "The servers".
exec python3 -B bench/servers/suite.py "$@"
