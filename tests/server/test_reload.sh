# Those who are connected, through reloads and a drain: see reload.py.
exec python3 "$(dirname "$0")/reload.py" "$@"
