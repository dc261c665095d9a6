/* git: what changes a repository, with the program git as the judge of the result: all or nothing,
 * nothing lost unseen, nothing outside. */
#include "plugins/git_fixture.h"

#define WRITE ",\"write\":true,\"author\":{\"name\":\"Ida\",\"email\":\"ida@example.org\"}"

static void begin(void)
{
    git_begin();
    SHELL("seq 1 20 >a; mkdir d; echo b >d/b; printf '*.o\\n' >.gitignore; git add .;"
          "git commit -qm first; git branch other; echo c >c; git add c; git commit -qm second");
    git_load(WRITE);
}

/* Nothing is in disorder, and git finds nothing wrong. */
static void end(void)
{
    SHELL("git fsck --strict --no-dangling; test ! -e .git/index.lock");
    git_end();
}

static char *status(void)
{
    return said("git status --porcelain -uall");
}

/* ---- the index ------------------------------------------------------------------------------ */

static void test_files_are_staged_and_taken_back(void **state)
{
    (void)state;
    begin();
    SHELL("echo more >>a; rm d/b; echo new >n; mkdir u; echo u >u/u; echo o >x.o");
    const struct json *s = ask("git_stage", "{\"paths\":[\"a\",\"d\",\"u\"]}");
    assert_int_equal(int_in(s, "staged"), 3);
    SAME(status(), "M  a\nD  d/b\nA  u/u\n?? n");
    SAME(column(member(s, "before"), "path"), "a\nd/b\nu/u");
    SAME(text_in(&member(s, "before")->items[0], "id"), said("git rev-parse HEAD:a"));
    assert_null(mgi_json_get(&member(s, "before")->items[2], "id"));
    /* What was told puts it back. */
    ask("git_stage",
        "{\"entries\":[{\"path\":\"a\",\"id\":\"%s\",\"mode\":\"100644\"},{\"path\":\"d/"
        "b\",\"id\":\"%s\"},"
        "{\"path\":\"u/u\"}]}",
        said("git rev-parse HEAD:a"), said("git rev-parse HEAD:d/b"));
    SAME(status(), " M a\n D d/b\n?? n\n?? u/u");
    ask("git_stage", "{\"paths\":[\"**\"],\"glob\":true}");
    SAME(status(), "M  a\nD  d/b\nA  n\nA  u/u");
    assert_int_equal(int_in(ask("git_stage", "{\"paths\":[\"**\"],\"glob\":true}"), "staged"), 0);
    s = ask("git_unstage", "{\"paths\":[\"d\",\"u\"]}");
    assert_int_equal(int_in(s, "unstaged"), 2);
    SAME(status(), "M  a\n D d/b\nA  n\n?? u/u");
    ask("git_unstage", "{\"paths\":[\"*\"],\"glob\":true}");
    SAME(status(), " M a\n D d/b\n?? n\n?? u/u");
    ask("git_stage", "{\"paths\":[\"**\"],\"glob\":true,\"update\":true}");
    SAME(status(), "M  a\nD  d/b\n?? n\n?? u/u");
    CHECK_FAIL(
        "git_stage", "{\"paths\":[\"x.o\",\"zzz\"]}",
        "paths: x.o is ignored; say \"force\": true to stage it; paths: zzz is neither tracked "
        "nor there");
    ask("git_stage", "{\"paths\":[\"x.o\"],\"force\":true}");
    SAME(status(), "M  a\nD  d/b\nA  x.o\n?? n\n?? u/u");
    CHECK_FAIL("git_stage", "{\"paths\":[\"n\",\"u\"],\"max_files\":1}", "nothing was changed");
    CHECK_FAIL("git_stage", "{}", "paths, entries: one of the two is needed");
    CHECK_FAIL("git_stage", "{\"paths\":[\"../a\",\".git/config\",\"/a\"]}",
               "\"../a\" has \"..\" in it; paths: \".git/config\" leads into .git; paths: \"/a\" "
               "is absolute");
    CHECK_FAIL(
        "git_stage",
        "{\"entries\":[{\"path\":\"q\",\"id\":\"0123456789012345678901234567890123456789\"}]}",
        "entries: q: object not found");
    SAME(status(), "M  a\nD  d/b\nA  x.o\n?? n\n?? u/u");
    SHELL("git init -q sub; echo s >sub/s");
    CHECK_FAIL("git_stage", "{\"paths\":[\"sub\"]}", "is a repository of its own");
    end();
}

static void test_a_first_commit_is_made_and_taken_back(void **state)
{
    (void)state;
    git_begin();
    SHELL("echo a >a; echo b >b");
    git_load(WRITE);
    ask("git_stage", "{\"paths\":[\"a\",\"b\"]}");
    ask("git_unstage", "{\"paths\":[\"b\"]}");
    SAME(status(), "A  a\n?? b");
    const struct json *c = ask("git_commit", "{\"message\":\"one\\n\\nbecause\\n\\n\\n\"}");
    assert_string_equal(text_in(c, "branch"), "main");
    assert_int_equal(member(c, "parents")->count, 0);
    SAME(text_in(c, "id"), said("git rev-parse HEAD"));
    SAME(said("git log -1 --format='%%an <%%ae> %%cn%%n%%B'"),
         "Ida <ida@example.org> Ida\none\n\nbecause");
    end();
}

static void test_what_is_staged_is_committed(void **state)
{
    (void)state;
    begin();
    SHELL("printf '#!/bin/sh\\necho ran >>hook-ran; exit 1\\n' >.git/hooks/pre-commit;"
          "cp .git/hooks/pre-commit .git/hooks/post-commit; chmod +x .git/hooks/*-commit;"
          "git config commit.gpgsign true; echo more >>a");
    char parent[64];
    strcpy(parent, said("git rev-parse HEAD"));
    CHECK_FAIL("git_commit", "{\"message\":\"x\"}", "nothing is staged; an empty commit needs");
    SHELL("git add a");
    CHECK_FAIL("git_commit", "{\"message\":\"  \"}", "message: is blank");
    CHECK_FAIL(
        "git_commit",
        "{\"message\":\"x\",\"expected_parent\":\"0123456789012345678901234567890123456789\"}",
        "expected_parent: HEAD is at ");
    const struct json *c = ask("git_commit",
                               "{\"message\":\"third\",\"expected_parent\":\"%s\",\"author\":{"
                               "\"name\":\"Eve\",\"email\":\"e@x\"}}",
                               parent);
    assert_int_equal(int_in(c, "files"), 1);
    SAME(member(c, "parents")->items[0].string.len ? said("git rev-parse HEAD~1") : "", parent);
    SAME(said("git log -1 --format='%%an %%cn %%s'"), "Eve Ida third");
    assert_false(is_there(at("root/hook-ran")));
    SAME(status(), "");
    ask("git_commit", "{\"message\":\"empty\",\"allow_empty\":true}");
    SHELL("git reset -q --hard HEAD~1; rm .git/hooks/*-commit; git config --unset commit.gpgsign;"
          "echo x >i; git add -N i; echo y >>a; git add a");
    CHECK_FAIL("git_commit", "{\"message\":\"x\"}", "i: is only announced (git add -N)");
    SHELL("git rm -q --cached i; rm i; git stash -q; ! git merge -q --no-commit --no-ff -s ours "
          "other || true;"
          "touch .git/MERGE_HEAD; git rev-parse other >.git/MERGE_HEAD");
    CHECK_FAIL("git_commit", "{\"message\":\"x\"}", "a merge, a rebase or the like is in progress");
    SHELL("rm -f .git/MERGE_*; git checkout -q --detach; echo z >>a; git add a");
    c = ask("git_commit", "{\"message\":\"on no branch\"}");
    assert_null(mgi_json_get(c, "branch"));
    end();
}

static void test_who_commits_has_to_be_known(void **state)
{
    (void)state;
    begin();
    git_load(",\"write\":true");
    SHELL("echo more >>a; git add a");
    CHECK_FAIL("git_commit", "{\"message\":\"x\"}", "who commits is not known");
    SHELL("git config user.name Own; git config user.email own@example.org");
    ask("git_commit", "{\"message\":\"x\"}");
    SAME(said("git log -1 --format=%%cn"), "Own");
    end();
}

/* ---- branches and tags ---------------------------------------------------------------------- */

static void test_branches_are_made_and_deleted(void **state)
{
    (void)state;
    begin();
    const struct json *b = ask("git_create_branch", "{\"name\":\"x/y\",\"revision\":\"other\"}");
    assert_true(true_in(b, "created"));
    SAME(said("git rev-parse x/y"), said("git rev-parse other"));
    assert_false(
        true_in(ask("git_create_branch", "{\"name\":\"x/y\",\"revision\":\"other\"}"), "created"));
    CHECK_FAIL("git_create_branch", "{\"name\":\"x/y\"}", "already, at another commit");
    CHECK_FAIL("git_create_branch", "{\"name\":\"-x\"}", "cannot be the name of a branch");
    CHECK_FAIL("git_create_branch", "{\"name\":\"a..b\"}", "cannot be the name of a branch");
    SHELL("git clone -q . ../outside/c; git remote add origin ../outside/c; git fetch -q");
    ask("git_create_branch", "{\"name\":\"up\",\"upstream\":\"origin/main\"}");
    SAME(said("git rev-parse --abbrev-ref up@{upstream}"), "origin/main");
    ask("git_create_branch", "{\"name\":\"local\",\"upstream\":\"main\"}");
    SAME(said("git rev-parse --abbrev-ref local@{upstream}"), "main");
    CHECK_FAIL("git_create_branch", "{\"name\":\"bad\",\"upstream\":\"origin/zzz\"}", "upstream: ");
    SAME(said("git branch --list bad"), "");

    SHELL("git checkout -q -b ahead; git commit -q --allow-empty -m ahead; git checkout -q main");
    CHECK_FAIL("git_delete_branch", "{\"name\":\"ahead\"}",
               "neither HEAD nor what it follows has all of");
    CHECK_FAIL("git_delete_branch", "{\"name\":\"main\",\"force\":true}", "a worktree is on main");
    CHECK_FAIL("git_delete_branch",
               "{\"name\":\"up\",\"expected\":\"0123456789012345678901234567890123456789\"}",
               "expected: up is at ");
    CHECK_FAIL("git_delete_branch", "{\"name\":\"nope\"}", "name: nope: ");
    const struct json *d = ask("git_delete_branch", "{\"name\":\"up\"}");
    assert_true(true_in(d, "merged"));
    assert_string_equal(text_in(d, "upstream"), "origin/main");
    SAME(said("git config --get-regexp 'branch.up' || true"), "");
    char tip[64];
    strcpy(tip, said("git rev-parse ahead"));
    d = ask("git_delete_branch", "{\"name\":\"ahead\",\"force\":true}");
    assert_string_equal(text_in(d, "id"), tip);
    ask("git_create_branch", "{\"name\":\"ahead\",\"revision\":\"%s\"}", tip);
    SHELL("git worktree add -q ../outside/wt x/y");
    CHECK_FAIL("git_delete_branch", "{\"name\":\"x/y\",\"force\":true}", "a worktree is on x/y");
    end();
}

static void test_only_the_configured_branches_are_changed(void **state)
{
    (void)state;
    begin();
    git_load(WRITE ",\"branches\":[\"work/*\",\"other\"]");
    CHECK_FAIL("git_create_branch", "{\"name\":\"x\"}", "the branch x may not be changed here");
    ask("git_create_branch", "{\"name\":\"work/x\"}");
    CHECK_FAIL("git_delete_branch", "{\"name\":\"x\",\"force\":true}", "may not be changed here");
    SHELL("echo more >>a; git add a");
    CHECK_FAIL("git_commit", "{\"message\":\"x\"}", "the branch main may not be changed here");
    SHELL("git checkout -q work/x");
    ask("git_commit", "{\"message\":\"x\"}");
    end();
}

static void test_tags_are_made_and_never_moved(void **state)
{
    (void)state;
    begin();
    assert_true(true_in(ask("git_tag", "{\"name\":\"light\"}"), "created"));
    assert_false(true_in(ask("git_tag", "{\"name\":\"light\"}"), "created"));
    const struct json *t =
        ask("git_tag", "{\"name\":\"v1\",\"revision\":\"other\",\"message\":\"Version one\"}");
    SAME(text_in(t, "tag_id"), said("git rev-parse v1"));
    SAME(said("git for-each-ref --format='%%(objecttype) %%(taggername) %%(subject)' refs/tags/v1"),
         "tag Ida Version one");
    CHECK_FAIL("git_tag", "{\"name\":\"v1\"}", "which names something else");
    CHECK_FAIL("git_tag", "{\"name\":\"a b\"}", "cannot be the name of a tag");
    end();
}

/* ---- the worktree --------------------------------------------------------------------------- */

static void test_switching_loses_nothing(void **state)
{
    (void)state;
    begin();
    const struct json *s = ask("git_switch", "{\"branch\":\"other\"}");
    assert_int_equal(int_in(s, "changed"), 1);
    assert_string_equal(text_in(member(s, "previous"), "branch"), "main");
    SAME(said("git symbolic-ref HEAD"), "refs/heads/other");
    SAME(status(), "");
    assert_false(is_there(at("root/c")));
    ask("git_switch", "{\"branch\":\"other\"}"); /* again: nothing */
    /* What is changed and does not differ between the two goes along. */
    SHELL("echo mine >>a; echo s >s; git add s");
    ask("git_switch", "{\"branch\":\"main\"}");
    SAME(status(), " M a\nA  s");
    SHELL("git rm -q --cached s; rm s; git checkout -q a");
    /* An untracked, an ignored, a changed and a staged file in the way. */
    SHELL("git checkout -q other; echo mine >c");
    CHECK_FAIL("git_switch", "{\"branch\":\"main\"}",
               "stand in the way, and nothing was changed: c");
    SAME(get_text(at("root/c")), "mine\n");
    SHELL("echo c >>.gitignore");
    CHECK_FAIL("git_switch", "{\"branch\":\"main\"}", "stand in the way");
    SHELL("git checkout -q .gitignore; rm c; git checkout -q main; echo more >>c");
    CHECK_FAIL("git_switch", "{\"branch\":\"other\"}",
               "stand in the way, and nothing was changed: c");
    SHELL("git add c; git show HEAD:c >c");
    CHECK_FAIL("git_switch", "{\"branch\":\"other\"}", "what is staged stands in the way");
    SHELL("git reset -q --hard");
    s = ask("git_switch", "{\"revision\":\"HEAD~1\"}");
    assert_null(mgi_json_get(s, "branch"));
    assert_true(shell_in("root", "git symbolic-ref -q HEAD") != 0);
    s = ask("git_switch", "{\"branch\":\"main\"}");
    assert_null(mgi_json_get(member(s, "previous"), "branch"));
    CHECK_FAIL("git_switch", "{\"branch\":\"zzz\"}", "branch: zzz: ");
    CHECK_FAIL("git_switch", "{}", "branch, revision: one of the two is needed");
    SHELL("git worktree add -q ../outside/wt other");
    CHECK_FAIL("git_switch", "{\"branch\":\"other\"}", "another worktree is on other");
    end();
}

static void test_restoring_throws_away_what_was_named(void **state)
{
    (void)state;
    begin();
    SHELL("echo x >>a; rm d/b; echo y >>c; echo n >n");
    const struct json *r = ask("git_restore", "{\"paths\":[\"a\",\"d\"],\"dry_run\":true}");
    SAME(column(member(r, "files"), "path"), "a\nd/b");
    SAME(column(member(r, "files"), "change"), "rewritten\ncreated");
    assert_false(true_in(r, "restored"));
    SAME(status(), " M a\n M c\n D d/b\n?? n");
    ask("git_restore", "{\"paths\":[\"a\",\"d\"]}");
    SAME(status(), " M c\n?? n");
    /* To a commit: index and worktree. What the commit has not goes; what is staged, too. */
    SHELL("git add c; echo z >z; git add z");
    r = ask("git_restore", "{\"paths\":[\"c\",\"z\"],\"revision\":\"other\"}");
    SAME(column(member(r, "files"), "change"), "deleted\ndeleted");
    SAME(status(), "D  c\n?? n");
    r = ask("git_restore", "{\"paths\":[\"c\"],\"revision\":\"main\"}");
    SAME(status(), "?? n");
    /* What was lost is told where the repository has it. */
    SHELL("git show other:a >keep; echo more >>a; git add a; git reset -q a");
    r = ask("git_restore", "{\"paths\":[\"a\"]}");
    SAME(said("git cat-file -p %s | tail -n 1", text_in(&member(r, "files")->items[0], "lost_id")),
         "more");
    CHECK_FAIL("git_restore", "{\"paths\":[\"n\",\"q\"]}",
               "paths: n is not tracked; paths: q is not tracked");
    SHELL("echo 1 >>a; echo 2 >>c");
    CHECK_FAIL("git_restore", "{\"paths\":[\"*\"],\"glob\":true,\"max_files\":1}",
               "nothing was changed");
    ask("git_restore", "{\"paths\":[\"*\"],\"glob\":true}");
    SAME(status(), "?? keep\n?? n");
    end();
}

static void test_changes_are_put_aside_and_come_back(void **state)
{
    (void)state;
    begin();
    assert_false(true_in(ask("git_stash", "{}"), "stashed"));
    SHELL("echo work >>a; git add a; echo work2 >>a; rm d/b; echo n >n; chmod +x c; git add c;"
          "mkdir u; echo u >u/u; echo o >u/x.o; git init -q u/r; echo r >u/r/r");
    char before[2000];
    strcpy(before, said("git diff HEAD; git status --porcelain -uall"));
    const struct json *s = ask("git_stash", "{\"message\":\"my work\",\"untracked\":true}");
    assert_true(true_in(s, "stashed"));
    SAME(text_in(s, "id"), said("git rev-parse stash@{0}"));
    SAME(said("git stash list --format=%%gs"), "On main: my work");
    SAME(status(), "?? u/r/");
    SAME(get_text(at("root/u/x.o")), "o\n"); /* neither what is ignored nor a repository is lost */
    SAME(get_text(at("root/u/r/r")), "r\n");
    /* git knows what it is. */
    SHELL("git stash pop -q --index");
    SAME(said("git diff HEAD; git status --porcelain -uall"), before);
    ask("git_stash", "{\"untracked\":true}");
    SAME(said("git stash list --format=%%gs | cut -c1-12"), "WIP on main:");
    s = ask("git_stash_pop", "{\"restore_index\":true,\"keep\":true}");
    assert_true(true_in(s, "kept"));
    SAME(said("git diff HEAD; git status --porcelain -uall"), before);
    SHELL("git reset -q --hard; rm n u/u");
    s = ask("git_stash_pop", "{\"expected\":\"%s\"}", said("git rev-parse stash@{0}"));
    assert_false(true_in(s, "kept"));
    SAME(said("git stash list"), "");
    SHELL("git stash -q");
    s = ask("git_stash", "{\"keep_index\":true}");
    SHELL("git reset -q --hard; git stash drop -q");
    CHECK_FAIL("git_stash_pop", "{\"index\":7}", "index: there is no stash 7");
    end();
}

static void test_a_stash_that_meets_something_stays(void **state)
{
    (void)state;
    begin();
    SHELL("sed -i 's/^5$/five/' a; echo n >n; git stash -q -u");
    SHELL("echo mine >n"); /* an untracked file in the way */
    CHECK_FAIL("git_stash_pop", "{}",
               "untracked files of the stash are there already, and nothing was "
               "changed: n");
    SAME(status(), "?? n");
    SHELL("rm n; sed -i 's/^5$/FIVE/' a"); /* a local change */
    CHECK_FAIL("git_stash_pop", "{}", "stand in the way, and nothing was changed: a");
    SAME(status(), " M a");
    SHELL("git commit -qam five"); /* a commit */
    CHECK_FAIL("git_stash_pop", "{}", "meets what was committed since, and nothing was changed: a");
    SAME(status(), "");
    SHELL("echo z >z; git add z");
    CHECK_FAIL("git_stash_pop", "{}", "meets what was committed since");
    SHELL("git rm -q --cached z; rm z; git reset -q --hard HEAD~1");
    CHECK_FAIL("git_stash_pop", "{\"expected\":\"0123456789012345678901234567890123456789\"}",
               "expected: stash 0 is ");
    assert_int_equal(int_in(ask("git_stash_pop", "{}"), "files"), 2);
    SAME(status(), " M a\n?? n");
    end();
}

static void test_a_commit_is_undone_or_nothing_happens(void **state)
{
    (void)state;
    begin();
    SHELL("sed -i 's/^5$/five/' a; git commit -qam five; sed -i 's/^15$/fifteen/' a; git commit "
          "-qam fifteen");
    const struct json *r = ask("git_revert", "{\"revision\":\"HEAD~1\",\"dry_run\":true}");
    SAME(column(member(r, "files"), "path"), "a");
    SAME(status(), "");
    r = ask("git_revert", "{\"revision\":\"HEAD~1\"}");
    assert_non_null(strstr(text_in(r, "message"), "Revert \"five\"\n\nThis reverts commit "));
    SAME(status(), "M  a");
    SAME(said("sed -n 5p a; sed -n 15p a"), "5\nfifteen");
    SHELL("git reset -q --hard; sed -i 's/^five$/FIVE/' a; git commit -qam FIVE");
    CHECK_FAIL("git_revert", "{\"revision\":\"HEAD~2\"}",
               "it meets what was changed later, and nothing was changed: a");
    SAME(status(), "");
    SHELL("echo local >>a");
    CHECK_FAIL("git_revert", "{\"revision\":\"HEAD\"}",
               "stand in the way, and nothing was changed: a");
    CHECK_FAIL("git_revert", "{\"revision\":\"HEAD\",\"dry_run\":true}", "stand in the way");
    SHELL("git add a; git show HEAD:a >a");
    CHECK_FAIL("git_revert", "{\"revision\":\"HEAD\"}", "what is staged stands in the way");
    SHELL("git reset -q --hard; git checkout -q -b side HEAD~3; echo s >s; git add s; git commit "
          "-qm s;"
          "git checkout -q main; git merge -q --no-ff -m merge side");
    CHECK_FAIL("git_revert", "{\"revision\":\"HEAD\"}", "mainline: the commit is a merge");
    ask("git_revert", "{\"revision\":\"HEAD\",\"mainline\":1}");
    SAME(status(), "D  s");
    end();
}

static void test_a_difference_is_applied_whole(void **state)
{
    (void)state;
    begin();
    SHELL("sed -i 's/^5$/five/' a; git mv d/b e; printf '\\0\\1' >bin; rm c; git add -A;"
          "git diff --cached --binary --full-index -M >../outside/patch; git reset -q --hard");
    char json[20000], input[20400];
    strcpy(json, said("jq -Rs . <../outside/patch"));
    const char *const places[] = { "worktree", "index", "both" };
    const char *const want[] = { " M a\n D c\n D d/b\n?? bin\n?? e",
                                 "MM a\nAD bin\nD  c\nR  d/b -> e",
                                 "M  a\nA  bin\nD  c\nR  d/b -> e" };
    for (size_t i = 0; i < 3; i++) {
        snprintf(input, sizeof input, "{\"diff\":%s,\"to\":\"%s\",\"dry_run\":true}", json,
                 places[i]);
        assert_false(true_in(ask("git_apply", "%s", input), "applied"));
        SAME(status(), "");
        snprintf(input, sizeof input, "{\"diff\":%s,\"to\":\"%s\"}", json, places[i]);
        SAME(column(member(ask("git_apply", "%s", input), "files"), "path"), "a\nbin\nc\ne");
        if (i != 1)
            SAME(status(), want[i]);
        SHELL("git reset -q --hard; git clean -qfd");
    }
    /* One hunk of two does not fit: nothing is changed. */
    CHECK_FAIL(
        "git_apply",
        "{\"diff\":\"--- a/c\\n+++ b/c\\n@@ -1 +1 @@\\n-c\\n+C\\n--- a/a\\n+++ b/a\\n@@ -1 +1 @@\\n"
        "-nothing\\n+x\\n\"}",
        "the diff does not fit, and nothing was changed: ");
    SAME(status(), "");
    SHELL("echo mine >new");
    CHECK_FAIL(
        "git_apply",
        "{\"diff\":\"diff --git a/new b/new\\nnew file mode 100644\\n--- /dev/null\\n+++ b/new\\n"
        "@@ -0,0 +1 @@\\n+x\\n\"}",
        "new: is there already; nothing was changed");
    CHECK_FAIL("git_apply", "{\"diff\":\"nothing of the kind\"}", "diff: ");
    static const char *const paths[] = { "../x", ".git/config", "d/../../x", "a/.GIT/x" };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        snprintf(
            input, sizeof input,
            "{\"diff\":\"diff --git a/%s b/%s\\nnew file mode 100644\\n--- /dev/null\\n+++ b/%s\\n"
            "@@ -0,0 +1 @@\\n+x\\n\"}",
            paths[i], paths[i], paths[i]);
        CHECK_FAIL("git_apply", input, "diff");
    }
    end();
}

static void test_clean_removes_what_was_listed(void **state)
{
    (void)state;
    begin();
    SHELL("echo n >n; mkdir -p u/v build; echo 1 >u/1; echo 2 >u/v/2; echo o >u/x.o; echo b >d/new;"
          "git init -q r; echo r >r/r; mkdir w; git init -q w/r; echo w >w/r/w; echo w >w/w; ln -s "
          "../outside l;"
          "echo keep >../outside/keep; echo k.o >k.o");
    const struct json *c = ask("git_clean", "{}");
    SAME(column(member(c, "candidates"), "path"), "d/new\nl\nn\nr/\nu/\nw/");
    const struct json *u = &member(c, "candidates")->items[4];
    assert_true(int_in(u, "files") == 2 && int_in(u, "bytes") == 4 && !true_in(u, "repository"));
    assert_true(true_in(&member(c, "candidates")->items[3], "repository"));
    assert_true(true_in(&member(c, "candidates")->items[5], "repository"));
    SAME(column(member(ask("git_clean", "{\"ignored\":true}"), "candidates"), "path"), "k.o\nu/");
    CHECK_FAIL("git_clean", "{\"remove\":[\"r\",\"w\",\"a\",\"k.o\",\"u/1\"]}",
               "remove: r is a repository of its own, or has one in it; remove: w is a repository");
    CHECK_FAIL("git_clean", "{\"remove\":[\"a\"]}", "remove: a is not listed");
    CHECK_FAIL("git_clean", "{\"remove\":[\"u\"],\"expected_files\":1}",
               "expected_files: there are 2 files now; nothing was removed");
    CHECK_FAIL("git_clean", "{\"remove\":[\"u\",\"n\"],\"max_entries\":2}", "nothing was removed");
    c = ask("git_clean", "{\"remove\":[\"u\",\"n\",\"l\",\"d/new\"],\"expected_files\":5}");
    SAME(said("find . -path ./.git -prune -o -path ./r/.git -prune -o -path ./w/r/.git -prune -o "
              "-type f -print "
              "| sort"),
         "./.gitignore\n./a\n./c\n./d/b\n./k.o\n./r/r\n./u/x.o\n./w/r/w\n./w/w");
    SAME(get_text(at("outside/keep")), "keep\n");
    ask("git_clean", "{\"ignored\":true,\"remove\":[\"u/\"]}");
    assert_false(is_there(at("root/u")));
    assert_true(is_there(at("root/k.o")));
    end();
}

static void test_worktrees_are_made_and_removed(void **state)
{
    (void)state;
    char more[500];
    begin();
    CHECK_FAIL("git_worktree_add", "{\"name\":\"w\"}", "the setting \"worktrees\" names no folder");
    snprintf(more, sizeof more, WRITE ",\"worktrees\":\"%s/outside\"", scratch);
    git_load(more);
    const struct json *w = ask("git_worktree_add", "{\"name\":\"w\",\"branch\":\"other\"}");
    assert_false(true_in(w, "branch_created"));
    SAME(said("git -C ../outside/w status --porcelain -b"), "## other");
    SAME(said("git -C ../outside/w rev-parse HEAD"), said("git rev-parse other"));
    SAME(said("cat ../outside/w/d/b"), "b");
    w = ask("git_worktree_add", "{\"name\":\"w2\",\"revision\":\"main\"}");
    assert_true(true_in(w, "branch_created"));
    CHECK_FAIL("git_worktree_add", "{\"name\":\"w\"}", "outside/w is there already");
    CHECK_FAIL("git_worktree_add", "{\"name\":\"w3\",\"branch\":\"other\"}",
               "a worktree is on other already");
    CHECK_FAIL("git_worktree_add", "{\"name\":\"../w3\"}", "has to be letters, digits");
    SHELL("echo n >../outside/w/n; echo o >../outside/w2/o.o; git worktree lock ../outside/w2");
    CHECK_FAIL("git_worktree_remove", "{\"name\":\"w\"}", "to lose them say \"force\": true: n");
    CHECK_FAIL("git_worktree_remove", "{\"name\":\"w2\",\"force\":true}", "w2 is locked");
    CHECK_FAIL("git_worktree_remove", "{\"name\":\"w\",\"force\":true,\"max_entries\":2}",
               "nothing was removed");
    assert_true(is_there(at("outside/w/n")));
    SHELL("git worktree unlock ../outside/w2");
    CHECK_FAIL("git_worktree_remove", "{\"name\":\"w2\"}", "to lose them say \"force\": true: o.o");
    ask("git_worktree_remove", "{\"name\":\"w2\",\"force\":true}");
    SHELL("rm ../outside/w/n");
    w = ask("git_worktree_remove", "{\"name\":\"w\"}");
    assert_string_equal(text_in(w, "branch"), "other");
    assert_false(is_there(at("outside/w")));
    SAME(said("git worktree list | wc -l"), "1");
    SHELL("git worktree add -q ../elsewhere other");
    CHECK_FAIL("git_worktree_remove", "{\"name\":\"elsewhere\"}", "is not in the configured");
    end();
}

/* ---- one after the other, and interrupted --------------------------------------------------- */

static void test_what_is_stopped_has_changed_nothing(void **state)
{
    (void)state;
    begin();
    SHELL("echo more >>a; echo n >n; echo x >>c; git add c");
    char before[4000];
    strcpy(before, said("git status --porcelain; git rev-parse HEAD; git for-each-ref; cat a c"));
    static const char *const rows[][2] = {
        { "git_stage", "{\"paths\":[\"a\",\"n\"]}" },
        { "git_unstage", "{\"paths\":[\"c\"]}" },
        { "git_commit", "{\"message\":\"x\"}" },
        { "git_create_branch", "{\"name\":\"x\"}" },
        { "git_delete_branch", "{\"name\":\"other\"}" },
        { "git_restore", "{\"paths\":[\"a\"]}" },
        { "git_stash", "{}" },
        { "git_tag", "{\"name\":\"x\"}" },
        { "git_clean", "{\"remove\":[\"n\"]}" },
        { "git_apply", "{\"diff\":\"--- a/d/b\\n+++ b/d/b\\n@@ -1 +1 @@\\n-b\\n+B\\n\"}" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (long looks = 1;; looks++) {
            th_call call = { .looks_left = looks };
            th_status got = plugin_run(&call, rows[i][0], rows[i][1]);
            bool stopped = got != TH_OK && strcmp(call.error.ptr, "cancelled") == 0;
            if (got != TH_OK && !stopped)
                fail_msg("%s: %s", rows[i][0], call.error.ptr);
            call_fini(&call);
            if (!stopped) {
                SHELL("git tag -d x || true; git branch -D x || true; git branch other HEAD~1 || "
                      "true;"
                      "git reset -q --hard $(head -n 1 ../outside/tip 2>/dev/null || git rev-parse "
                      "main);"
                      "git stash drop -q || true");
                SHELL("git reset -q --hard %s; echo more >>a; echo n >n; echo x >>c; git add c",
                      strchr(said("git log --format='x%%H' --grep=second -1"), 'x') + 1);
                break;
            }
            SAME(said("git status --porcelain; git rev-parse HEAD; git for-each-ref; cat a c"),
                 before);
        }
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_are_staged_and_taken_back),
        cmocka_unit_test(test_a_first_commit_is_made_and_taken_back),
        cmocka_unit_test(test_what_is_staged_is_committed),
        cmocka_unit_test(test_who_commits_has_to_be_known),
        cmocka_unit_test(test_branches_are_made_and_deleted),
        cmocka_unit_test(test_only_the_configured_branches_are_changed),
        cmocka_unit_test(test_tags_are_made_and_never_moved),
        cmocka_unit_test(test_switching_loses_nothing),
        cmocka_unit_test(test_restoring_throws_away_what_was_named),
        cmocka_unit_test(test_changes_are_put_aside_and_come_back),
        cmocka_unit_test(test_a_stash_that_meets_something_stays),
        cmocka_unit_test(test_a_commit_is_undone_or_nothing_happens),
        cmocka_unit_test(test_a_difference_is_applied_whole),
        cmocka_unit_test(test_clean_removes_what_was_listed),
        cmocka_unit_test(test_worktrees_are_made_and_removed),
        cmocka_unit_test(test_what_is_stopped_has_changed_nothing),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
