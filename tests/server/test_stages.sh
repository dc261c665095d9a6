# Black-box tests of the running server; see stages.py.
exec python3 "$(dirname "$0")/stages.py" "$@"
