# The client over a WebSocket; see websocket.py.
exec python3 -B "$(dirname "$0")/websocket.py" "$@"
