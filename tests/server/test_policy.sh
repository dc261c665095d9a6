# Black-box tests of the running server; see policy.py.
exec python3 "$(dirname "$0")/policy.py" "$@"
