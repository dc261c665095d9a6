# Black-box tests of the running server over WebSocket; see sockets.py.
exec python3 "$(dirname "$0")/sockets.py" "$@"
