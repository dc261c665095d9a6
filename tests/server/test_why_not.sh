# Black-box tests of the running server; see why_not.py.
exec python3 "$(dirname "$0")/why_not.py" "$@"
