# Black-box tests of the running server; see trust.py.
exec python3 "$(dirname "$0")/trust.py" "$@"
