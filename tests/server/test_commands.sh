# Black-box tests of the client commands; see commands.py.
exec python3 "$(dirname "$0")/commands.py" "$@"
