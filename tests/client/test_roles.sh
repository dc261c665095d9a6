# The client's role, as a scripted server sees it; see roles.py.
exec python3 -B "$(dirname "$0")/roles.py" "$@"
