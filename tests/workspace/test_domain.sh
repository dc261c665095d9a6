# The workspace domain has no faults, its rule tests and scenarios come out as they say, and nearly all of it is reached.
. tests/support/scratch.sh manglecp mangle
if ! command -v git >/dev/null || [ ! -e "$BUILD_DIR/plugins/git.so" ]; then
    echo "1..0 # SKIP git is not installed, or its plugin is not built"
    exit 0
fi
echo 1..10
domain=$root/domains/workspace
git init -q -b main checkout
export GIT_CONFIG_GLOBAL=/dev/null
set_checkout="--set checkout=$tmp/checkout"

# shellcheck disable=SC2086
manglecp check "$domain" $set_checkout >out 2>log && ! cat out log | grep -E 'error:|warning:' | grep -v NOT_ENFORCED
verdict "the domain is without fault" $?
mangle fmt --check "$domain/rules" >out 2>log
verdict "its rules are laid out" $?
mangle test "$domain" >out 2>log
verdict "its rule tests pass" $?
# shellcheck disable=SC2086
manglecp test "$domain" $set_checkout --coverage-min 95 >out 2>log
verdict "its scenarios pass, and reach nearly every rule and tool" $?
# shellcheck disable=SC2086
[ "$(manglecp actions "$domain" $set_checkout 2>log | tail -n 1 | cut -d' ' -f1)" -ge 40 ]
verdict "it stands on forty actions or more" $?

# What the scenarios cannot set.
ask() { # INTENT WORD...: the names and levels of tools
    # shellcheck disable=SC2086
    manglecp intent "$domain" $set_checkout "$@" 2>>log >out
}
ask explain_failure --set trust_tests=true && grep -A12 ' run_tests ' out | grep -q 'effects' && ! grep -q 'asks the user' out
verdict "where the operator trusts the tests nobody is asked" $?
change='{"pred":"working_change","args":["a.c","unstaged","modified"]}'
ask prepare_change --set require_tests=true --fact "$change" --fact '{"pred":"tests_passed","args":["x"]}' && ! grep -qE '^  (full|condensed|minimal) +commit_change' out
verdict "where the operator requires tests nothing is committed without" $?
ask prepare_change --set format_command=cat --fact "$change" && grep -qE '^  condensed +format_change' out
verdict "where there is a formatter it can be used" $?
ask clean_up --fact '{"pred":"branch","args":["done"]}' --fact '{"pred":"branch","args":["more"]}' \
    --fact '{"pred":"merged","args":["done","main"]}' --fact '{"pred":"merged","args":["more","main"]}' &&
    grep -q 'names (array of done, more)' out
verdict "what a list may hold is shown" $?
git -C checkout -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m one &&
    git -C checkout worktree add -q ../linked 2>>log
set_checkout="--set checkout=$tmp/linked"
# shellcheck disable=SC2086
manglecp check "$domain" $set_checkout >out 2>log && cp -a linked stranger && ! manglecp check "$domain" --set checkout="$tmp/stranger" >>out 2>>log &&
    [ "$(manglecp action "$domain" AID.WORKSPACE.CONTENT.v1 $set_checkout 2>>log | grep -c '"content"')" = 1 ]
verdict "a linked worktree needs nothing said, if its repository knows it" $?
