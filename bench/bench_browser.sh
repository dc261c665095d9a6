# A model's cost of diagnosing pages beside the browser servers that agents use, and the host's own: bench/browser/README.md.
python3 -B bench/browser/overhead.py && exec python3 -B bench/browser/suite.py "$@"
