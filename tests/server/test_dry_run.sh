# Black-box tests of the running server; see dry_run.py.
exec python3 "$(dirname "$0")/dry_run.py" "$@"
