# Full disks, little memory, few descriptors: see trouble.py.
exec python3 "$(dirname "$0")/trouble.py" "$@"
