# More clients than there is room for: see crowds.py.
exec python3 "$(dirname "$0")/crowds.py" "$@"
