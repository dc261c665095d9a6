# The Python client as a package: README, types, and its judgement beside the live server's.
. "$(dirname "$0")/python.sh"
play package_cases.py "$@"
