# Black-box tests of the running server; see auth_matrix.py.
exec python3 "$(dirname "$0")/auth_matrix.py" "$@"
