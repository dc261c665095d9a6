# sizes.sh CHECKOUT -- PATH...: the bytes of files and folders, folders with all that is in them, as a JSON
# object. What cannot be read is not counted.
. ./programs/common.sh
here=$PWD
cd "$1" || exit 1
shift 2
du --summarize --bytes -- "$@" 2>/dev/null | as_text |
    LC_ALL=C awk -f "$here/programs/json.awk" -f "$here/programs/sizes.awk"
