# manglecp/actions for Node: plain JavaScript, so nothing is built and nothing is fetched.
command -v node >/dev/null || {
    echo "1..0 # SKIP node is not installed"
    exit 0
}
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || {
    echo "1..0 # SKIP Node 20 or later is needed, here is $(node --version)"
    exit 0
}
exec timeout 250 node --test --test-reporter=tap clients/typescript/test/actions.test.mjs
