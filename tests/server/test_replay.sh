# Decisions made again: see replay.py.
exec python3 "$(dirname "$0")/replay.py" "$@"
