# Black-box tests of the running server; see http_bytes.py.
exec python3 "$(dirname "$0")/http_bytes.py" "$@"
