# The Python client over stdio and WebSocket, before servers that misbehave.
. "$(dirname "$0")/python.sh"
play session_cases.py "$@"
