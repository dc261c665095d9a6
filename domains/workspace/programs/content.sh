# content.sh CHECKOUT: what the working tree holds, ignored files aside, as the id of the tree that git would
# make of it, staged or not. No rows where there is no checkout.
#
# Nothing is written into the repository, and nothing that its configuration says is done (filters are
# programs): git works in a repository of our own, which borrows the checkout's objects and a copy of its
# index, so that only files that changed are read. Of a repository below it (a submodule) only the commit
# counts: whether files in it changed, git would ask there, with the filters that its configuration has.
. ./programs/common.sh
if ! top=$(git_in "$1" rev-parse --show-toplevel 2>/dev/null); then
    echo '{"rows":[]}'
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
borrow "$1" "$work/git" || exit 1
for part in index info/exclude; do
    file=$(path_in "$1" "$part") || exit 1
    mkdir -p "$work/git/info"
    if [ -f "$file" ]; then cp -- "$file" "$work/git/$part" || exit 1; fi
done
GIT_DIR=$work/git GIT_WORK_TREE=$top
export GIT_DIR GIT_WORK_TREE
links=$work/links
git_in "$top" ls-files --stage -z | grep -z '^160000 ' | cut -z -f 2- >"$links"
mark() { git_in "$top" update-index -z "$@" --stdin <"$links" 2>/dev/null; }
mark --skip-worktree
git_in "$top" add --all --sparse -- . 2>/dev/null || fail "some file of the checkout cannot be read"
mark --no-skip-worktree && mark --remove || fail "some repository below the checkout cannot be read"
tree=$(git_in "$top" write-tree 2>/dev/null) || fail "there are conflicts that are not resolved"
echo "{\"rows\":[{\"content\":\"$tree\"}]}"
