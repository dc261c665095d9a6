# The plugins fs, json and sql behind a server: their schemas are ones that it takes, their actions make tools, and what
# comes of a call fits what they promise.
. tests/support/scratch.sh manglecp toolhost
for plugin in fs json sql; do
    [ -e "$BUILD_DIR/plugins/$plugin.so" ] || { echo "1..0 # SKIP plugins/$plugin.so is not built"; exit 0; }
done
echo 1..5

mkdir -p shop/tools shop/rules/domain notes
echo '{"items":[{"name":"tea","price":2},{"name":"cup","price":9}]}' >notes/items.json
python3 -c 'import sqlite3; sqlite3.connect("shop.db").executescript("CREATE TABLE item(name TEXT, stock INT); INSERT INTO item VALUES(\"cup\", 3)")'
cat >shop/domain.yaml <<END
server: {name: shop, version: 0.1.0}
domain: {id: shop, description: What is in stock}
intents:
  - {name: look, description: Find what is cheap enough, open: true}
actions:
  plugins:
    - {name: fs, may: [file_read, file_write], settings: {root: $tmp/notes, write: true}}
    - {name: json}
    - {name: sql, settings: {database: $tmp/shop.db}}
END
cat >shop/tools/stock.yaml <<'END'
tool: stock
summary: What is dear, and how much of it is there.
description: Reads the list, finds what costs more than five, and looks up its stock.
input_schema: {type: object, additionalProperties: false, properties: {path: {type: string, default: items.json}}}
steps:
  - id: list
    action: AID.FS.READ.v1
    inputs: {path: {from: args.path}}
    failure_text: The list cannot be read.
  - id: dear
    action: AID.JSON.QUERY.v1
    inputs: {document_text: {from: steps.list.output.text}, path: "$.items[?@.price > 5].name"}
  - id: stock
    action: AID.SQL.QUERY.v1
    inputs: {sql: "SELECT stock FROM item WHERE name = ?", params: {from: steps.dear.output.values}}
  - id: shape
    action: AID.JSON.TRANSFORM.v1
    inputs:
      document: {from: steps.stock.output.rows}
      steps: [{op: flatten}, {op: limit, count: 1}]
result: {names: {from: steps.dear.output.values}, stock: {from: steps.shape.output.value}}
END
cat >shop/tools/note.yaml <<'END'
tool: note
summary: Write a note.
description: Writes a note into a file that is not there yet.
input_schema: {type: object, additionalProperties: false, required: [path, text], properties: {path: {type: string}, text: {type: string}}}
steps:
  - id: write
    action: AID.FS.WRITE.v1
    inputs: {path: {from: args.path}, text: {from: args.text}}
result: {size: {from: steps.write.output.size}}
END
cat >shop/rules/domain/relevance.mg <<'END'
tool_relevant_to_intent("stock", "look", 90).
tool_relevant_to_intent("note", "look", 50).
END

manglecp check shop >out 2>log
verdict "a domain of the three plugins is without fault" $?

# one tool by its id
id_of() {
    manglecp intent shop look --json 2>>log | tr ',{' '\n\n' | sed -n "s/.*\"macro_id\":\"\($1[^\"]*\)\".*/\1/p" | head -n 1
}
id=$(id_of stock)
manglecp invoke shop "$id" --intent look --json >out 2>>log
grep -q '"names":\["cup"\]' out && grep -q '"stock":\[3\]' out
verdict "their actions make a tool" $?

manglecp invoke shop "$id" --intent look --arg path=../shop.db --json >out 2>>log
grep -q 'The list cannot be read' out && ! grep -q SQLite out
verdict "a path that leads out of the root is a failed step" $?

id=$(id_of note)
manglecp invoke shop "$id" --intent look --arg path=new.txt --arg text=hello --json </dev/null >out 2>>log
grep -q "needs the user's consent" log && [ ! -e notes/new.txt ]
verdict "what writes waits for consent" $?

manglecp invoke shop "$id" --intent look --arg path=new.txt --arg text=hello --yes --json >out 2>>log
grep -q '"size":5' out && [ "$(cat notes/new.txt)" = hello ]
verdict "and writes when it has it" $?
