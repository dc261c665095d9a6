# Black-box tests of the running server; see mutations.py.
exec python3 "$(dirname "$0")/mutations.py" "$@"
