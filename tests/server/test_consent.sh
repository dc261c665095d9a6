# Consent that a person gives out of band; see consent.py.
exec python3 "$(dirname "$0")/consent.py" "$@"
