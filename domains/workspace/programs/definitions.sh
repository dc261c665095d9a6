# definitions.sh CHECKOUT SYMBOL: where Universal Ctags finds the symbol defined, in tracked files that have
# it; a JSON object per line. Fails where there is no such program: then patterns have to do.
. ./programs/common.sh
command -v ctags >/dev/null && ctags --list-features 2>/dev/null | grep -q '^json' ||
    fail "Universal Ctags is not installed: definitions come from patterns"
cd "$1" || exit 1
# No name is an option: each begins with ./, which goes again from what is told.
git_in . grep -l -z -w -F -e "$2" -- . | head -z -n 300 | sed -z 's|^|./|' |
    xargs -0 -r ctags --options=NONE --output-format=json --fields=+nKS --excmd=number -f - 2>/dev/null |
    grep -F "\"name\": \"$2\"," | head -n 100 | sed 's|^{"_type": "tag", |{|; s|"path": "\./|"path": "|' | as_text
exit 0
