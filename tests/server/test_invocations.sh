# Black-box tests of the running server; see invocations.py.
exec python3 "$(dirname "$0")/invocations.py" "$@"
