# git.sh CHECKOUT WORD...: git on a checkout, without what a checkout could have it run.
. ./programs/common.sh
git_in "$@"
