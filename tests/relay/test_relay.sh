# The relay plugin: programs that speak the toolhost's lines, good ones and hostile ones, under the real toolhost.
command -v python3 >/dev/null || {
    echo "1..0 # SKIP python3 is not installed"
    exit 0
}
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' || {
    echo "1..0 # SKIP Python 3.9 or later is needed"
    exit 0
}
exec python3 -B "$(dirname "$0")/relay_cases.py" "$@"
