# machina_dispatch, the Python dispatch of toolhost.md chapter 9, against the real toolhost and against stubs.
. "$(dirname "$0")/python.sh"
play dispatch_cases.py "$@"
