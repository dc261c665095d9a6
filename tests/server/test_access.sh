# Black-box tests of the running server; see access.py.
exec python3 "$(dirname "$0")/access.py" "$@"
