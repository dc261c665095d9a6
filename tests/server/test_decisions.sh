# The decision log of a server: see decisions.py.
exec python3 "$(dirname "$0")/decisions.py" "$@"
