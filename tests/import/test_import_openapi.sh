# manglecp import openapi: the operations of a document become a domain.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/http.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
import() { manglecp import openapi "$@" --set actions.confine=off >out 2>log; }
gives() {
    local good=0
    for text in "${@:2}"; do grep -qF -- "$text" out || good=1; done
    verdict "$1" $good
}
cat >shop.yaml <<'EOF'
openapi: 3.0.3
info: {title: Shop, version: "1"}
servers: [{url: "https://shop.example.com/v2"}]
security: [{shop_key: []}]
paths:
  /orders:
    get: {operationId: listOrders, summary: All orders., responses: {"200": {description: ok}}}
    post:
      operationId: createOrder
      summary: A new order.
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [article], properties: {article: {type: string}}}}}}
      responses: {"201": {description: ok}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: purgeView, summary: One order., responses: {"200": {description: ok}}}
    delete: {operationId: cancelOrder, summary: Take it back., responses: {"204": {description: ok}}}
components:
  securitySchemes:
    shop_key: {type: apiKey, in: header, name: X-Shop-Key}
    users: {type: http, scheme: basic}
EOF
unset SHOP_SHOP_KEY SHOP_USERS_USER SHOP_USERS_PASSWORD
import shop.yaml --into shop
[ $? = 0 ] && [ -f shop/openapi/shop.yaml ]
verdict "a document becomes a domain" $?
gives "with what is to be set" SHOP_SHOP_KEY SHOP_USERS_USER SHOP_USERS_PASSWORD
gives "and the bill" 'all 4 tools as their servers list them'
gives "DELETE is destructive" 'cancel_order: its method is DELETE'
grep -q 'harm_guess("cancel_order", "destructive")' shop/facts/import.mg && grep -q 'harm_guess("list_orders", "none")' shop/facts/import.mg &&
    grep -q 'harm_guess("create_order", "write")' shop/facts/import.mg
verdict "GET is not" $?
grep -q 'harm_guess("purge_view", "destructive")' shop/facts/import.mg
verdict "unless its name says otherwise" $?
manglecp check shop --set actions.confine=off >out 2>log
[ $? = 1 ] && grep -q 'SHOP_SHOP_KEY' out
verdict "without the credentials it does not load" $?
export SHOP_SHOP_KEY=a SHOP_USERS_USER=b SHOP_USERS_PASSWORD=c
manglecp check shop --set actions.confine=off >out 2>log
gives "with them check has no error" '0 errors'
manglecp test shop --set actions.confine=off >out 2>log
verdict "and its scenarios hold" $?
import shop.yaml --into shop
gives "again, nothing changes" '0 new, 0 changed, 0 gone'
import shop.yaml --into near --server http://127.0.0.1:9/
grep -q 'private: true' near/domain.yaml
verdict "an address in place of the document's" $?
echo 'openapi: 3.0.0' >empty.yaml
import empty.yaml --into e
[ $? != 0 ] && [ ! -e e ] && [ -z "$(find . -maxdepth 1 -name 'e.import-*')" ]
verdict "a document without operations leaves nothing" $?
echo "1..$count"
