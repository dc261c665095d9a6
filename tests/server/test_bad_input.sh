# Rows of invalid input against the running server; see bad_input.py.
exec python3 "$(dirname "$0")/bad_input.py" "$@"
