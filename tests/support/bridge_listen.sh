# Sourced: the bridge for the fixture of the tests. `bridge` is its command; or `missing` says what is not built.
# bridge_listen FOLDER starts it at an address, `url`, with its log in FOLDER; bridge_stop ends it, and fails if it fails.
bridge=("$BUILD_DIR/bin/manglecp" mcp tests/domains/fixture --plugins "$BUILD_DIR/test-plugins" --toolhost "$BUILD_DIR/bin/toolhost")
missing=
url=

for program in bin/manglecp bin/toolhost test-plugins/fx.so; do
    [ -x "$BUILD_DIR/$program" ] || missing="$program is not built"
done

bridge_listen() {
    "${bridge[@]}" --listen 127.0.0.1:0 2>"$1/listen.log" &
    bridge_pid=$!
    for _ in $(seq 600); do
        url=$(sed -n 's/.*listening on \(http:[^ ,]*\).*/\1/p' "$1/listen.log")
        [ -z "$url" ] || return 0
        kill -0 "$bridge_pid" 2>/dev/null || break
        sleep 0.1
    done
    return 1
}

bridge_stop() {
    kill -TERM "$bridge_pid" && wait "$bridge_pid"
}
