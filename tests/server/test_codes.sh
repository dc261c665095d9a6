# Every error code of the protocol, drawn from the running server; see codes.py.
exec python3 "$(dirname "$0")/codes.py" "$@"
