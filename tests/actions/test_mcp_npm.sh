# Published MCP servers as actions, confined: files and everything. Skipped, with the reason, where Node or npm is
# missing, or the registry does not give them within two minutes. They stay in the build folder.
. tests/support/scratch.sh manglecp toolhost
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ -f "$BUILD_DIR/plugins/mcp.so" ] || skip_all "the plugin is not built"
command -v node >/dev/null || skip_all "node is not installed"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip_all "Node 20 or later is needed"
copy=$BUILD_DIR/mcp-servers
files=$copy/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js
everything=$copy/node_modules/@modelcontextprotocol/server-everything/dist/index.js
if [ ! -f "$files" ] || [ ! -f "$everything" ]; then
    command -v npm >/dev/null || skip_all "npm is not installed"
    mkdir -p "$copy"
    timeout 120 npm install --prefix "$copy" --ignore-scripts --no-audit --no-fund --silent --fetch-retries 0 --fetch-timeout 15000 \
        @modelcontextprotocol/server-filesystem@2026.8.31 @modelcontextprotocol/server-everything@2026.8.31 >"$copy/npm.log" 2>&1 ||
        skip_all "the registry did not give the servers within two minutes"
fi
mkdir -p d/data
echo hello >d/data/a.txt
cat >d/.mcp.json <<EOF
{"mcpServers": {
  "files": {"command": "node", "args": ["$files", "\${workspaceFolder}/data"]},
  "everything": {"command": "node", "args": ["$everything", "stdio"]}
}}
EOF
cat >d/domain.yaml <<EOF
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions:
  mcp:
    from: .mcp.json
    servers:
      files: {may: [shell, file_read, file_write], read: ["$copy", /usr, data], write: [data]}
EOF
act() { manglecp action d "AID.MCP.$1.v1" --json --yes "${@:2}" >out 2>log; }
gives() {
    local good=0
    for text in "${@:2}"; do grep -qF -- "$text" out || good=1; done
    verdict "$1" $good
}
manglecp actions d --lock >out 2>log
verdict "both are locked" $?
gives "with what they offer" 'files read_text_file' 'files write_file' 'everything get-sum'
manglecp check d >out 2>log
verdict "the domain loads" $?
act FILES.READ_TEXT_FILE --arg "path=$PWD/d/data/a.txt"
gives "a file is read" 'hello'
act FILES.WRITE_FILE --arg "path=$PWD/d/data/b.txt" --arg content=there
[ "$(cat d/data/b.txt)" = there ]
verdict "and one is written" $?
act FILES.READ_TEXT_FILE --arg path=/etc/passwd
gives "not outside of its folder" '"ok":false' 'denied'
act EVERYTHING.GET-SUM --input '{"a":40,"b":2}'
gives "a sum" '42'
act EVERYTHING.GET-STRUCTURED-CONTENT --input '{"location":"New York"}'
gives "structured content" '"conditions"'
act EVERYTHING.GET-TINY-IMAGE
gives "an image" '"mime_type":"image/png"' '"sha256"'
act EVERYTHING.TRIGGER-LONG-RUNNING-OPERATION --input '{"duration":1,"steps":2}'
gives "with progress" '"ok":true'
echo "1..$count"
