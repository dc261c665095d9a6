# Black-box tests of the running server; see intents.py.
exec python3 "$(dirname "$0")/intents.py" "$@"
