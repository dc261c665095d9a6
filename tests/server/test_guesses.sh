# Black-box tests of the running server; see guesses.py.
exec python3 "$(dirname "$0")/guesses.py" "$@"
