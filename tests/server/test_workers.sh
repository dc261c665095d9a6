# The threads that evaluate: see workers.py.
exec python3 "$(dirname "$0")/workers.py" "$@"
