# The tools of one intent as plain MCP tools, over standard streams and HTTP; see plain_tools.py.
for program in manglecp toolhost; do
    [ -x "$BUILD_DIR/bin/$program" ] || { echo "1..0 # SKIP $program is not built"; exit 0; }
done
exec python3 -B "$(dirname "$0")/plain_tools.py" "$@"
