# The program by hand: --help, --version, its other name, and `toolhost new`, whose plugin is built and
# run with what it names and nothing else. Then plugins in C++, where there is a compiler for it.
. tests/support/scratch.sh
toolhost=$BUILD_DIR/bin/toolhost
[ -x "$toolhost" ] || { echo "1..0 # SKIP toolhost is not built"; exit 0; }
case $(sed -n 's/^MGI_SANITIZE:[A-Z]*=//p' "$BUILD_DIR/CMakeCache.txt") in
?*) export MACHINA_TOOLHOST_RLIMIT_AS_MB=0 ;; # a sanitizer wants more room than a plugin gets
esac

# is NAME GOT WANTED: one test.
is() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        printf 'expected:\n%s\ngot:\n%s\n' "$3" "$2" | sed 's/^/#   /'
    fi
}

skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# says COMMAND...: standard output, and the status behind it.
says() {
    "$@" 2>stderr
    echo "status $?"
}

is "--help is on standard output" "$(says "$toolhost" --help | sed -n '1p;$p')" \
    "usage: toolhost --list  PLUGIN [--config FILE]
status 0"
is "--version" "$(says "$toolhost" --version)" "toolhost $(sed -n 's/^CMAKE_PROJECT_VERSION:[A-Z]*=//p' \
    "$BUILD_DIR/CMakeCache.txt") (plugin interface 2.0)
status 0"
is "its other name" "$(says "$BUILD_DIR/bin/machina_toolhost" --version)" "$(says "$toolhost" --version)"
is "new wants a folder" "$(says "$toolhost" new)" "status 2"
is "and no option" "$(says "$toolhost" new --here)" "status 2"

is "new makes the beginning of a plugin" "$(says "$toolhost" new mine)" \
    "mine has the beginning of a plugin: plugin.c, its Makefile and a README.md.
  make -C mine try
status 0"
is "of three files" "$(ls mine)" "Makefile
README.md
plugin.c"
is "new overwrites nothing" "$(says "$toolhost" new mine; cat stderr)" "status 1
toolhost: error: cannot make mine: File exists"
is "a folder that cannot be made" "$(says "$toolhost" new no/such/place; cat stderr)" "status 1
toolhost: error: cannot make no/such/place: No such file or directory"

compile() { # C17, every warning an error, and only the two public headers in sight
    mkdir -p public
    cp "$root/include/toolhost.h" "$root/include/toolhost_json.h" public/
    make -s -C "$1" INCLUDE="$PWD/public" CFLAGS="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror" \
        >out 2>&1 || sed 's/^/#   /' out >&2
}
compile mine
is "it compiles without a warning, with toolhost.h and toolhost_json.h alone" "$(ls mine/plugin.so)" mine/plugin.so
is "T-ABI-6: it needs no symbol of the host" \
    "$(nm -D --undefined-only mine/plugin.so | grep -ciE ' (th_|toolhost|mgi_)')" 0
is "make list" "$(make -s -C mine list 2>stderr | grep -o '"aid":"[^"]*"')" '"aid":"AID.HELLO.GREET.v1"'
is "make try" "$(make -s -C mine try 2>stderr)" \
    '{"ok":true,"status":"OK","output_json":"{\"greeting\":\"Hello, Ann!\"}","error":"","ds_state":{"slots":{}}}'
greet() { echo "$1" | "$toolhost" --run mine/plugin.so AID.HELLO.GREET.v1 2>stderr; }
is "its schema is held" "$(greet '{"inputs":{"name":7,"x":1}}')" \
    '{"ok":false,"error":"invalid input: /name: type; /x: additionalProperties"}'
is "any text comes back" "$(greet '{"inputs":{"name":"\"\\ \u00e9\u0001"}}' | grep -o 'Hello.*!')" \
    'Hello, \\\"\\\\ é\\u0001!'
is "a second time it can be linked where it is" "$(says "$toolhost" --list mine/plugin.so | tail -1)" "status 0"

# ---- C++ ---------------------------------------------------------------------------------------
if ! command -v c++ >/dev/null; then
    skip "a plugin in C++" "there is no c++"
    skip "an exception that escapes ends the call" "there is no c++"
else
    cat >thrower.cc <<'END'
#include "toolhost.h"
#include "toolhost_json.h"
#include <stdexcept>
static const th_host *host;
static th_status throws(th_call *call, th_str input, void *)
{
    th_str value;
    if (th_json_member(input, "safe", &value)) {
        th_json_writer w = th_json_writer_of(host, call);
        th_json_put_value(&w, input);
        return th_json_answer(&w);
    }
    throw std::runtime_error("over the border");
}
static const char *const none[] = { "none", nullptr };
extern "C" uint32_t toolhost_plugin_abi(void) { return TH_ABI_VERSION; }
extern "C" int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    host = h;
    th_tool t = {};
    t.struct_size = sizeof t;
    t.aid = "AID.HOSTILE.THROW.v1";
    t.name = "throw";
    t.side_effects = none;
    t.min_tier = -1;
    t.fn = throws;
    return h->register_tool(reg, &t) == TH_RC_OK ? 0 : 1;
}
END
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fPIC -shared -Ipublic -o thrower.so thrower.cc >out 2>&1 ||
        sed 's/^/#   /' out >&2
    serve() { printf '%s\n' "$@" | "$toolhost" --serve "$PWD/thrower.so" 2>stderr; }
    is "a plugin in C++" "$(serve '{"aid":"AID.HOSTILE.THROW.v1","inputs":{"safe":[1]}}')" \
        '{"ok":true,"status":"OK","output_json":"{\"safe\":[1]}","error":"","ds_state":{"delta":true,"slots":{},"removed_slots":[]}}'
    # C-127 T-ABI-22
    is "C-127 T-ABI-22: an exception that escapes ends the call" \
        "$(serve '{"aid":"AID.HOSTILE.THROW.v1"}' '{"aid":"AID.HOSTILE.THROW.v1","inputs":{"safe":2}}' |
            grep -o '"error":"[^"]*"')" \
        '"error":"tool crashed: signal 6 (SIGABRT)"
"error":""'
fi
echo "1..$count"
