# Sourced: the official TypeScript clients of MCP, in the build folder. `clients` is that folder; or `missing` says why there are
# none (Node 20 or npm is missing, or the registry does not give them).
clients=$BUILD_DIR/mcp-clients
missing=

find_clients() {
    command -v npm >/dev/null && command -v node >/dev/null || { missing="npm is not installed"; return; }
    [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || { missing="Node 20 or later is needed"; return; }
    mkdir -p "$clients"
    exec 8>"$clients/lock" # one of the tests installs them, the others wait
    flock -w 150 8
    if [ ! -d "$clients/node_modules/@modelcontextprotocol/client" ]; then
        echo '{"private":true}' >"$clients/package.json"
        (cd "$clients" && timeout 120 npm install --ignore-scripts --no-audit --no-fund --fetch-retries 0 --fetch-timeout 15000 \
            @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0) >"$clients/npm.log" 2>&1 ||
            missing="the registry did not give the clients"
    fi
    exec 8>&-
}
find_clients
