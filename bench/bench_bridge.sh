# The bridge of MCP beside the server that it wraps; see bridge_figures.py.
exec python3 "$(dirname "$0")/bridge_figures.py"
