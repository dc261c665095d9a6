# Rows of the reference against the running server; see rows.py.
exec python3 "$(dirname "$0")/rows.py" "$@"
