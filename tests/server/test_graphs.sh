# Black-box tests of the running server; see graphs.py.
exec python3 "$(dirname "$0")/graphs.py" "$@"
