# Black-box tests of the running server; see oauth.py.
exec python3 "$(dirname "$0")/oauth.py" "$@"
