# content.sh CHECKOUT: what the working tree holds, ignored files aside, as the id of the tree that git would
# make of it, staged or not. Nothing is written into the repository: objects and index are in a folder of
# our own. No rows where there is no checkout.
. ./programs/common.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if ! index=$(git_in "$1" rev-parse --git-path index 2>/dev/null); then
    echo '{"rows":[]}'
    exit 0
fi
case $index in /*) ;; *) index=$1/$index ;; esac
objects=$(git_in "$1" rev-parse --git-path objects) || exit 1
case $objects in /*) ;; *) objects=$1/$objects ;; esac
top=$(git_in "$1" rev-parse --show-toplevel) || exit 1
if [ -f "$index" ]; then cp -- "$index" "$work/index" || exit 1; fi
mkdir "$work/objects"
export GIT_INDEX_FILE="$work/index" GIT_OBJECT_DIRECTORY="$work/objects" GIT_ALTERNATE_OBJECT_DIRECTORIES="$objects"
git_in "$top" add --all -- . 2>/dev/null || fail "some file of the checkout cannot be read"
tree=$(git_in "$top" write-tree 2>/dev/null) || fail "there are conflicts that are not resolved"
echo "{\"rows\":[{\"content\":\"$tree\"}]}"
