# Steps that are menus, with a policy in Python; see menus.py.
exec python3 "$(dirname "$0")/menus.py" "$@"
