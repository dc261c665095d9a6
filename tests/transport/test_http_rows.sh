# Black-box tests of the HTTP transport; see http_rows.py.
exec python3 "$(dirname "$0")/http_rows.py" "$@"
