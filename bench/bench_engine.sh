# The engine beside its peers: bench/README.md, "The engine".
exec python3 -B bench/engine/suite.py "$@"
