# Programs of commands whose installation an action may not read: check warns, and what it says to write works.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/command.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
tmp=$(realpath "$tmp")
chmod o-w . && mkdir -p d/actions env/bin env/lib plain/bin version/bin version/lib
cat >d/domain.yaml <<'END'
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions: {commands: actions/*.yaml}
END
# An installation as those of pyenv and nvm: its program reads what stands beside it.
printf '#!/bin/sh\nexec cat "%s/env/lib/greeting"\n' "$tmp" >env/bin/greet
echo "hello from the installation" >env/lib/greeting
printf '#!/bin/sh\necho alone\n' >plain/bin/alone
printf '#!%s/version/bin/shell\necho script\n' "$tmp" >d/script
cp /bin/sh version/bin/shell
chmod +x env/bin/greet plain/bin/alone d/script
ln -s "$tmp/env/bin/greet" plain/bin/link
# command PROGRAM [MORE]: the only one of the domain
command() {
    printf 'name: it\ndescription: d\nrun: ["%s"]\noutput: text\nside_effects: none\n%s\n' "$1" "${2-}" >d/actions/it.yaml
    manglecp check d >out 2>&1
}
# warned NAME TEXT: check says this, at the program's place
warned() {
    grep -qF "actions/it.yaml:3:7: warning: $2" out && grep -q 'UNREADABLE_PROGRAM' out && grep -qF "$3" out
    verdict "$1" $?
}
quiet() {
    ! grep -q 'UNREADABLE_PROGRAM' out && ! grep -q 'error:' out
    verdict "$1" $?
}
command "$tmp/env/bin/greet"
warned "a program of an installation" "$tmp/env/bin/greet may not find what it needs: it is part of $tmp/env, which it may not read" \
    "hint: Add $tmp/env to \"read\" of this command."
manglecp action d AID.D.IT.v1 >out 2>log
confined=$?
command "$tmp/env/bin/greet" "read: [$tmp/env]"
quiet "is no news where it may read that"
manglecp action d AID.D.IT.v1 >out 2>log && grep -q 'hello from the installation' out
verdict "and then it works" $?
if manglecp check d --enforced 2>/dev/null | grep -q 'files  *Landlock'; then
    [ $confined = 1 ]
    verdict "which it did not before" $?
else
    verdict "which it did not before # SKIP this kernel confines no files" 0
fi
command "$tmp/env/bin/greet" "may: [file_read]"
quiet "nor where it may read everywhere"
command "$tmp/plain/bin/link"
warned "a link into one" "$tmp/plain/bin/link may not find what it needs: it is part of $tmp/env," "Add $tmp/env to"
command ./script
warned "a first line that names a program of one" "./script may not find what it needs: its first line names a program of $tmp/version," \
    "Add $tmp/version to"
command ./script "read: [$tmp/version]"
quiet "which may be read"
rm -r version/lib && command ./script
warned "or one alone" "./script may not find what it needs: its first line names $tmp/version/bin/shell," "Add $tmp/version/bin/shell to"
command "$tmp/plain/bin/alone"
quiet "a program that stands alone"
command cat
quiet "and those of the system"
sed -i 's/^actions: {/&confine: off, /' d/domain.yaml
command "$tmp/env/bin/greet"
quiet "nothing is said where nothing is confined"
echo "1..$count"
