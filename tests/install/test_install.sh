# What is installed is enough: programs built with pkg-config against archives and shared libraries,
# wherever they were put; the engine needs libm alone; nothing is shown that no header promises.
set -u
root=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0

verdict() { # NAME STATUS OUTPUT-FILE
    count=$((count + 1))
    if [ "$2" = 0 ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        sed 's/^/# /' "$3"
    fi
}

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

[ -x "$BUILD_DIR/bin/manglecp" ] && [ -x "$BUILD_DIR/bin/toolhost" ] || skip "the programs are not built"
[ -e "$BUILD_DIR/libmangle.so" ] && [ -e "$BUILD_DIR/libmanglecp.so" ] || skip "no shared libraries in this build"

# The prefix is chosen now, and moved once more: nothing may know where it was.
cmake --install "$BUILD_DIR" --prefix "$tmp/first" >"$tmp/out" 2>&1
verdict "installing works" $? "$tmp/out"
mv "$tmp/first" "$tmp/shared"
cp -a "$tmp/shared" "$tmp/static"
find "$tmp/static" -name 'lib*.so*' -path '*/lib*/lib*' -exec rm -f {} +

sanitize=$(sed -n 's/^MGI_SANITIZE:[A-Z]*=\(.\+\)$/-fsanitize=\1/p' "$BUILD_DIR/CMakeCache.txt")
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$BUILD_DIR/CMakeCache.txt")
pc_folder() { dirname "$(find "$tmp/$1" -name mangle.pc)"; }

# build KIND SOURCE PACKAGE [pkg-config option]: $tmp/SOURCE.KIND
build() {
    local flags
    flags=$(PKG_CONFIG_PATH=$(pc_folder "$1") pkg-config --cflags --libs ${4-} "$3") || return 1
    # shellcheck disable=SC2086
    "$compiler" -std=c17 -Wall -Wextra -Werror $sanitize -o "$tmp/$2.$1" "$root/tests/install/$2.c" $flags
}

libs=$(dirname "$(pc_folder shared)")
run() { # KIND SOURCE [ARGUMENT...]
    local kind=$1 source=$2
    shift 2
    if [ "$kind" = shared ]; then
        LD_LIBRARY_PATH=$libs "$tmp/$source.$kind" "$@"
    else
        "$tmp/$source.$kind" "$@"
    fi
}

server() { # KIND -> the command of a server that needs nothing but its prefix
    echo "$tmp/$1/bin/manglecp serve $root/domains/browser --stdio"
}

for kind in static shared; do
    option=
    [ "$kind" = shared ] || option=--static
    { build $kind engine mangle $option && run $kind engine; } >"$tmp/out" 2>&1
    [ "$(cat "$tmp/out")" = "q(2) /proof/5f8523c40247ed957d22910c3ab742c5" ]
    verdict "the engine, $kind" $? "$tmp/out"
    # shellcheck disable=SC2046
    { build $kind client manglecp $option && run $kind client $(server $kind); } >"$tmp/out" 2>&1
    [ "$(tail -n 1 "$tmp/out")" = "a manifest" ]
    verdict "a client and its server, $kind" $? "$tmp/out"
done

needed() { # what a file is linked with, but for the compiler's own and the sanitizers'
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(libc|libgcc_s|libasan|libubsan|libtsan|ld-linux.*)\.so' | LC_ALL=C sort | tr '\n' ' '
}
for file in "$tmp/engine.static" "$libs/libmangle.so"; do
    needed "$file" >"$tmp/out"
    # A linker that drops what is not needed may find that not even libm is.
    case $(cat "$tmp/out") in '' | 'libm.so.6 ') good=0 ;; *) good=1 ;; esac
    verdict "$(basename "$file") needs libm alone" $good "$tmp/out"
done

for name in mangle manglecp; do
    readelf -d "$libs/lib$name.so" >"$tmp/out"
    grep -q "SONAME.*\[lib$name.so.0\]" "$tmp/out"
    verdict "lib$name.so has a versioned name" $? "$tmp/out"
    nm -D --defined-only "$libs/lib$name.so" | awk '{ print $3 }' | LC_ALL=C sort -u >"$tmp/shown"
    # Functions of the header: a name before a bracket, at the beginning of a declaration.
    "$compiler" -E -P "$tmp/shared/include/$name.h" | tr '\n' ' ' | tr ';' '\n' |
        grep -vE "typedef|static inline" | grep -oE "\b${name}_[a-z0-9_]+ ?\([^*]" | sed "s/(.*//" | tr -d '( ' | LC_ALL=C sort -u >"$tmp/promised"
    diff "$tmp/promised" "$tmp/shown" >"$tmp/out"
    verdict "lib$name.so shows what $name.h promises, and nothing else" $? "$tmp/out"
done

# What a person finds: a manual, completions, documentation whose links lead somewhere, a domain to run.
bin=$tmp/shared/bin
export LD_LIBRARY_PATH=$libs
doc=$tmp/shared/share/doc/manglecp
for name in mangle manglecp; do
    for command in $("$bin/$name" help --commands); do
        page=$(find "$tmp/shared" -name "$name-$command.1")
        grep -q '^.SH DESCRIPTION' "$page" || echo "no page for $name $command"
    done >"$tmp/out" 2>&1
    [ ! -s "$tmp/out" ] && find "$tmp/shared" -path "*man1/$name.1" | grep -q .
    verdict "$name and each of its commands have a page of the manual" $? "$tmp/out"
done
find "$tmp/shared" -path '*man1/toolhost.1' | grep -q .
verdict "so has toolhost" $? "$tmp/out"
find "$tmp/shared" -path '*man1/manglecp-record.1' | grep -q . && "$bin/manglecp-record" --help | grep -q '^Usage: manglecp-record URL' &&
    ! "$bin/manglecp-record" file:///etc/passwd -o "$tmp/none" 2>"$tmp/out" && grep -q 'only http and https' "$tmp/out"
verdict "so has manglecp-record, which finds its domain" $? "$tmp/out"
{ "$bin/toolhost" new "$tmp/mine" && MACHINA_TOOLHOST_RLIMIT_AS_MB=0 make -s -C "$tmp/mine" try TOOLHOST="$bin/machina_toolhost"; } \
    >"$tmp/out" 2>&1 && grep -q 'Hello, Ann!' "$tmp/out" && grep -qF "INCLUDE ?= $tmp/shared/include" "$tmp/mine/Makefile"
verdict "a plugin is begun, built and run with what was installed" $? "$tmp/out"
bash -c '. "$1/share/bash-completion/completions/manglecp"
    COMP_WORDS=(manglecp serve --lis) COMP_CWORD=2; _manglecp; echo "${COMPREPLY[*]}"
    COMP_WORDS=(manglecp che) COMP_CWORD=1; _manglecp; echo "${COMPREPLY[*]}"' - "$tmp/shared" >"$tmp/out" 2>&1
[ "$(cat "$tmp/out")" = "--listen
check" ]
verdict "bash completes commands and options" $? "$tmp/out"

python3 - "$doc" >"$tmp/out" 2>&1 <<'PY'
import pathlib, re, sys  # what is said of the tests is for who has the sources
root = pathlib.Path(sys.argv[1])
for page in root.rglob("*.md"):
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", "", text)
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not re.match(r"[a-z]+:|(\.\./)*tests/", link) and not (page.parent / link).exists():
            print(f"{page.relative_to(root)}: {link}")
PY
[ ! -s "$tmp/out" ] && [ -f "$doc/docs/domain-format.md" ]
verdict "links of the documentation lead to what is installed" $? "$tmp/out"
{ "$bin/manglecp" check "$doc/domains/browser" && "$bin/manglecp" test "$doc/domains/browser"; } >"$tmp/out" 2>&1 &&
    grep -q '^0 errors' "$tmp/out"
verdict "the domain that comes with it passes check and test where it is" $? "$tmp/out"
"$bin/mangle" check "$doc/domains/browser" >"$tmp/out" 2>&1
verdict "mangle takes it, too" $? "$tmp/out"
if command -v git >/dev/null && [ -e "$tmp/shared/lib/manglecp/plugins/git.so" ]; then
    git init -q "$tmp/checkout"
    { "$bin/manglecp" check "$doc/domains/workspace" --set checkout="$tmp/checkout" &&
        "$bin/manglecp" test "$doc/domains/workspace" --set checkout="$tmp/checkout" &&
        "$bin/manglecp" action "$doc/domains/workspace" AID.WORKSPACE.CONTENT.v1 --set checkout="$tmp/checkout"; } >"$tmp/out" 2>&1 &&
        grep -q '^0 errors' "$tmp/out" && grep -q '"content"' "$tmp/out"
    verdict "so does the one for checkouts, whose programs run from there" $? "$tmp/out"
fi
"$bin/mangle" check "$doc/rules" >"$tmp/out" 2>&1
verdict "the standard rules are there to be read" $? "$tmp/out"
"$bin/manglecp" explain-error no_domain | diff - "$doc/docs/errors/NO_DOMAIN.md" >"$tmp/out" 2>&1
verdict "explain-error tells what the documentation says" $? "$tmp/out"
(
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$(pc_folder shared)
    "$bin/manglecp" new "$tmp/made" --template plugin && make -C "$tmp/made" &&
        "$bin/manglecp" check "$tmp/made" && "$bin/manglecp" test "$tmp/made"
) >"$tmp/out" 2>&1
verdict "a new domain builds its plugin with what pkg-config finds, and passes" $? "$tmp/out"
{ "$bin/manglecp" new "$tmp/functions" --kind python && "$bin/manglecp" check "$tmp/functions" &&
    "$bin/manglecp" action "$tmp/functions" AID.SPEAK.SAY.v1 --arg to=Ann; } >"$tmp/out" 2>&1 && grep -q 'Welcome! Ann' "$tmp/out"
verdict "a new domain of functions in Python runs with what is installed" $? "$tmp/out"
flags=$(PKG_CONFIG_PATH=$(pc_folder shared) pkg-config --cflags --libs manglecp)
# shellcheck disable=SC2086
"$compiler" -std=c17 $sanitize -o "$tmp/embed" "$doc/examples/embed.c" $flags >"$tmp/out" 2>&1
verdict "the example that comes with it builds" $? "$tmp/out"
echo "1..$count"
