# Black-box tests of the running server; see sessions.py.
exec python3 "$(dirname "$0")/sessions.py" "$@"
