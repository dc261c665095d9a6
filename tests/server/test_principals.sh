# Black-box tests of the running server; see principals.py.
exec python3 "$(dirname "$0")/principals.py" "$@"
