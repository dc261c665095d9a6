# Ten published MCP servers become a domain. Skipped, with the reason, where Node or npm is missing, or the registry
# does not give them within three minutes. They stay in the build folder.
. tests/support/scratch.sh manglecp toolhost
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ -f "$BUILD_DIR/plugins/mcp.so" ] || skip_all "the plugin is not built"
command -v node >/dev/null || skip_all "node is not installed"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip_all "Node 20 or later is needed"
copy=$BUILD_DIR/mcp-ten-servers
packages="@modelcontextprotocol/server-filesystem@2026.8.31 @modelcontextprotocol/server-everything@2026.8.31
@modelcontextprotocol/server-memory@2026.8.31 @modelcontextprotocol/server-github@2025.4.8
@modelcontextprotocol/server-sequential-thinking@2026.8.31 @cyanheads/git-mcp-server@2.15.3 @coo-quack/calc-mcp@2.1.1
@notionhq/notion-mcp-server@2.5.2 @drawio/mcp@1.6.1 @upstash/context7-mcp@4.1.1"
if [ ! -f "$copy/complete" ]; then
    command -v npm >/dev/null || skip_all "npm is not installed"
    mkdir -p "$copy"
    # shellcheck disable=SC2086
    timeout 180 npm install --prefix "$copy" --ignore-scripts --no-audit --no-fund --silent --fetch-retries 0 --fetch-timeout 15000 \
        $packages >"$copy/npm.log" 2>&1 || skip_all "the registry did not give the servers within three minutes"
    touch "$copy/complete"
fi
python3 - "$copy/node_modules" "$tmp" $packages <<'EOF'
import json, pathlib, sys
modules, here, servers = pathlib.Path(sys.argv[1]), sys.argv[2], {}
for package in sys.argv[3:]:
    name = package.rsplit("@", 1)[0]
    about = json.loads((modules / name / "package.json").read_text())
    start = about["bin"] if isinstance(about["bin"], str) else list(about["bin"].values())[0]
    servers[name.split("/")[-1]] = {"command": "node", "args": [str(modules / name / start)]}
servers["server-filesystem"]["args"].append(here)
servers["server-github"]["env"] = {"GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_" + "a1" * 18}
servers["notion-mcp-server"]["env"] = {"NOTION_TOKEN": "ntn_" + "a1" * 18}
json.dump({"mcpServers": servers}, open("ten.json", "w"))
EOF
manglecp import mcp ten.json --into ten --format json --set actions.confine=off >out 2>log
verdict "all ten are imported" $?
python3 - <<'EOF'
import json
r = json.load(open("out"))
tools = {t["name"]: t["harm"] for t in r["tools"] if not t["left_out"]}
assert len(r["servers"]) == 10 and all(s["started"] for s in r["servers"]), r["servers"]
assert r["errors"] == 0 and r["scenarios_passed"] == r["scenarios"] > 10, r
for name in ["git_reset", "git_clean", "git_push", "git_rebase", "write_file", "merge_pull_request", "delete_entities", "API-delete-a-block"]:
    assert tools[name] == "destructive", name
for name in ["git_status", "read_text_file", "search_nodes", "get-sum"]:
    assert tools[name] == "none", name
asks = r["bill"]["intents"]
assert r["bill"]["verbatim_tokens"] > 10 * r["bill"]["line_tokens"] / 2
assert sum(a["tokens"] for a in asks) / len(asks) < 1000, asks
assert len(r["bill"]["unreached"]) * 20 <= r["bill"]["tried"], r["bill"]["unreached"]
EOF
verdict "with what they can do, and what an intent costs" $?
! grep -rq 'a1a1a1' ten
verdict "no secret is copied" $?
export GITHUB_PERSONAL_ACCESS_TOKEN=x NOTION_TOKEN=x
manglecp check ten --set actions.confine=off >out 2>log && grep -q '^0 errors' out
verdict "check has no error" $?
manglecp test ten --set actions.confine=off >out 2>log
verdict "its scenarios hold" $?
echo "1..$count"
