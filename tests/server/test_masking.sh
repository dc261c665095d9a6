# What masking hides is in no log: see masking.py.
exec python3 "$(dirname "$0")/masking.py" "$@"
