/* git: repositories that a stranger made: what leads outside, what asks to be run, what is broken.
 */
#include "plugins/git_fixture.h"

#include <sys/resource.h>

/* On the way out of some errors libgit2 1.5 loses memory. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libgit2.so\nleak:libpcre2";
}

static void begin(void)
{
    git_begin();
    SHELL("echo one >a; mkdir d; echo b >d/b; git add .; git commit -qm first; echo two >a;"
          "git commit -qam second");
    SHELL(
        "mkdir -p ../outside/private; cd ../outside/private; git init -q -b main .; echo secret >s;"
        "git add .; git commit -qm secret");
}

/* The settings are refused, or the first call is. */
static void refused(const char *folder, const char *more, const char *want)
{
    char settings[1000];
    snprintf(settings, sizeof settings, "{\"repository\":\"%s/%s\"%s}", scratch, folder, more);
    const char *why = plugin_try(settings);
    if (!why || !strstr(why, want))
        fail_msg("%s\n got  %s\n want %s", settings, why ? why : "success", want);
}

static void taken(const char *folder, const char *more)
{
    char settings[1000];
    snprintf(settings, sizeof settings, "{\"repository\":\"%s/%s\"%s}", scratch, folder, more);
    plugin_load(settings);
}

/* ---- what leads outside --------------------------------------------------------------------- */

static void test_a_git_file_that_leads_outside_is_refused(void **state)
{
    (void)state;
    char more[300];
    begin();
    SHELL("mkdir t; echo \"gitdir: $PWD/../outside/private/.git\" >t/.git");
    refused("root/t", "", ".git leads to ");
    snprintf(more, sizeof more, ",\"outside\":[\"%s/outside/private\"]", scratch);
    taken("root/t", more);
    SHELL("mkdir t2; echo 'gitdir: ../../outside/nowhere' >t2/.git");
    refused("root/t2", "", "which is not there, or not to be seen from here");
    SHELL("mkdir t3; echo 'something else' >t3/.git");
    refused("root/t3", "", "is neither a folder nor a file that says gitdir:");
    SHELL("mkdir t4; ln -s ../../outside/private/.git t4/.git");
    refused("root/t4", "", ".git leads to ");
    SHELL("mkdir t5; mkfifo t5/.git");
    refused("root/t5", "", "t5/.git: is no file");
    git_end();
}

static void test_worktrees_and_submodules_name_their_place_back(void **state)
{
    (void)state;
    begin();
    SHELL("git worktree add -q ../outside/wt -b wt; git -c protocol.file.allow=always submodule "
          "add -q "
          "../outside/private sub; git commit -qm sub");
    taken("outside/wt", "");
    taken("root/sub", "");
    CHECK_OK("git_read", "{\"path\":\"s\"}", "secret");
    /* Somebody else's folder that says it is that worktree. */
    SHELL("mkdir ../outside/fake; cp ../outside/wt/.git ../outside/fake/.git");
    refused("outside/fake", "", "outside of it");
    SHELL("mkdir ../outside/fake2; echo \"gitdir: $PWD/.git/modules/sub\" >../outside/fake2/.git");
    refused("outside/fake2", "", "its worktree is ");
    git_end();
}

static void test_other_files_that_lead_outside_are_refused(void **state)
{
    (void)state;
    begin();
    SHELL("echo \"$PWD/../outside/private/.git\" >.git/commondir");
    refused("root", "", "commondir leads to ");
    SHELL("rm .git/commondir; git config core.worktree \"$PWD/../outside/private\"");
    refused("root", "", "its worktree is ");
    SHELL("git --git-dir=.git config core.worktree /");
    refused("root", "", "its worktree is /: configure that");
    SHELL("git --git-dir=.git config --unset core.worktree;"
          "echo \"$PWD/../outside/private/.git/objects\" >.git/objects/info/alternates");
    refused("root", "", "objects/info/alternates leads to ");
    char more[300];
    snprintf(more, sizeof more, ",\"outside\":[\"%s/outside\"]", scratch);
    taken("root", more);
    /* over one that may be led to, and in a circle */
    SHELL("mkdir -p x/info; echo \"$PWD/x\" >.git/objects/info/alternates;"
          "echo \"$PWD/../outside/private/.git/objects\" >x/info/alternates");
    refused("root", "", "objects/info/alternates leads to ");
    SHELL("echo \"$PWD/x\" >x/info/alternates");
    refused("root", "", "leads over too many repositories");
    SHELL("rm .git/objects/info/alternates; mv .git/refs ../outside/refs; ln -s ../../outside/refs "
          ".git/refs");
    refused("root", "", "refs leads to ");
    SHELL("rm .git/refs; mv ../outside/refs .git/refs; mv .git/config ../outside/config;"
          "ln -s ../../outside/config .git/config");
    refused("root", "", "config leads to ");
    SHELL("rm .git/config; mkfifo .git/config");
    refused("root", "", "config: is neither a file nor a folder");
    SHELL("rm .git/config .git/index; mkfifo .git/index");
    refused("root", "", "index: is neither a file nor a folder");
    SHELL("rm .git/index; mkfifo .gitignore");
    refused("root", "", "/.gitignore: is neither a file nor a folder");
    SHELL("rm .gitignore; mkfifo .gitattributes");
    refused("root", "", "/.gitattributes: is neither a file nor a folder");
    git_end();
}

static void test_includes_are_refused(void **state)
{
    (void)state;
    static const char *const rows[] = { "[include]\\n path = ../../outside/c\\n",
                                        "[INCLUDE] path=/etc/passwd\\n",
                                        "[core] x = 1\\n [includeIf \"gitdir:/\"]\\npath=/x\\n",
                                        "[a][include]path=/x\\n" };
    begin();
    SHELL("cp .git/config ../outside/good");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SHELL("cp ../outside/good .git/config; printf '%s' >>.git/config", rows[i]);
        refused("root", "", "has an include, which is not followed here");
    }
    SHELL(
        "cp ../outside/good .git/config; printf '# [include]\\n;[include]\\n[x]\\ny = includes\\n' "
        ">>.git/config");
    taken("root", "");
    git_end();
}

/* libgit2 reads .gitmodules when it writes files of the worktree. What it includes here would be an
 * error of libgit2's, if it were read. */
static void test_includes_of_gitmodules_are_refused_before_they_are_followed(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        { "git_switch", "{\"branch\":\"main\"}" },
        { "git_restore", "{\"paths\":[\"a\"]}" },
        { "git_stash", "{}" },
        { "git_stash_pop", "{}" },
        { "git_revert", "{\"revision\":\"HEAD~1\"}" },
    };
    begin();
    SHELL("git -c protocol.file.allow=always submodule -q add ../outside/private sub; git commit "
          "-qm sub; echo '[broken' >../outside/c; git branch good; git checkout -q -b evil;"
          "printf '[include]\\n\\tpath = ../../outside/c\\n' >>.gitmodules; git add .gitmodules;"
          "git update-index --cacheinfo 160000,$(git rev-parse HEAD),sub2; git commit -qm evil;"
          "echo three >a; git stash -q; echo four >a");
    SHELL("mkdir ../outside/trees");
    char more[400];
    snprintf(more, sizeof more,
             ",\"write\":true,\"author\":{\"name\":\"I\",\"email\":\"i@x\"},\"worktrees\":"
             "\"%s/outside/trees\"",
             scratch);
    taken("root", more);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_FAIL(rows[i][0], rows[i][1], ".gitmodules: has an include, which is not followed");
    CHECK_FAIL("git_worktree_add", "{\"name\":\"w\",\"branch\":\"new\"}",
               ".gitmodules: has an include, which is not followed");
    SAME(said("ls ../outside/trees; git symbolic-ref HEAD; git diff --name-only; cat a"),
         "refs/heads/evil\na\nfour");
    /* One that would come with a branch, or come back. */
    SHELL("git checkout -q -f good");
    CHECK_FAIL("git_switch", "{\"branch\":\"evil\"}", ".gitmodules: has an include");
    CHECK_FAIL("git_restore", "{\"paths\":[\".gitmodules\"],\"revision\":\"evil\"}",
               ".gitmodules: has an include");
    SAME(said("git symbolic-ref HEAD; git status --porcelain -uno"), "refs/heads/good");
    /* A link is not followed, either; reading goes on. */
    SHELL("rm .gitmodules; ln -s ../outside/c .gitmodules");
    CHECK_FAIL("git_stash", "{}", ".gitmodules: is a link, or no file that can be read");
    CHECK_OK("git_status", "{}", ".gitmodules");
    CHECK_OK("git_diff", "{}", ".gitmodules");
    git_end();
}

static void stage_another(void)
{
    SHELL("echo x >other; git add other");
}

static void test_what_another_process_staged_meanwhile_is_kept(void **state)
{
    (void)state;
    begin();
    taken("root", ",\"write\":true");
    SHELL("echo three >a");
    th_call call = { .meanwhile = stage_another };
    assert_int_equal(plugin_run(&call, "git_stage", "{\"paths\":[\"a\"]}"), TH_TOOL_ERROR);
    assert_non_null(strstr(call.error.ptr, "the index: another process has changed it meanwhile"));
    call_fini(&call);
    SAME(said("git diff --cached --name-only"), "other");
    ask("git_stage", "{\"paths\":[\"a\"]}");
    SAME(said("git diff --cached --name-only"), "a\nother");
    SHELL("rm .git/index");
    ask("git_stage", "{\"paths\":[\"a\"]}"); /* none is one, too */
    SAME(said("git ls-files"), "a");
    git_end();
}

static void test_names_that_lead_out_are_broken(void **state)
{
    (void)state;
    begin();
    SHELL(
        "for n in '../../../x' 'y~1' 'fine'; do echo \"$(git rev-parse HEAD) refs/heads/$n\"; done "
        ">.git/packed-refs");
    taken("root", "");
    const struct json *b = ask("git_branches", "{\"details\":false}");
    SAME(column(member(b, "branches"), "name"), "fine\nmain");
    SAME(column(member(b, "broken"), "name"), "../../../x\ny~1");
    git_end();
}

static void test_locks_that_were_left_behind_are_named(void **state)
{
    (void)state;
    begin();
    taken("root", ",\"write\":true,\"author\":{\"name\":\"I\",\"email\":\"i@x\"}");
    SHELL("touch .git/index.lock; echo three >a");
    CHECK_OK("git_status", "{}", "\"path\":\"a\"");
    CHECK_FAIL("git_stage", "{\"paths\":[\"a\"]}",
               "if none does, remove the .lock file below the git directory");
    SHELL("rm .git/index.lock; git add a; touch .git/refs/heads/main.lock");
    CHECK_FAIL("git_commit", "{\"message\":\"x\"}",
               "refs/heads/main.lock' for writing: another process holds it; if none does");
    SAME(said("git log --format=%%s -1; git diff --cached --name-only"), "second\na");
    git_end();
}

static void test_nothing_of_the_user_or_the_machine_is_read(void **state)
{
    (void)state;
    begin();
    SHELL(
        "printf '[user]\\nname=Home\\nemail=h@x\\n[core]\\nexcludesfile=%%s/.ignored\\n' \"$HOME\" "
        ">$HOME/.gitconfig; echo '*.hid' >$HOME/.ignored; mkdir -p $HOME/.config/git;"
        "echo '*.xdg' >$HOME/.config/git/ignore; echo x >x.hid; echo x >x.xdg;"
        "git config core.excludesfile \"$HOME/.ignored\"; git config core.attributesfile "
        "\"$HOME/.attr\";"
        "echo 'a binary' >$HOME/.attr; echo three >a");
    taken("root", ",\"write\":true");
    CHECK_OK("git_status", "{}", "x.hid");
    CHECK_OK("git_status", "{}", "x.xdg");
    CHECK_OK("git_diff", "{}", "+three"); /* not binary */
    SHELL("git add a");
    CHECK_FAIL("git_commit", "{\"message\":\"x\"}", "who commits is not known");
    git_end();
}

/* ---- what asks to be run -------------------------------------------------------------------- */

static void test_nothing_that_a_repository_names_is_run(void **state)
{
    (void)state;
    begin();
    SHELL(
        "cat >>.git/config <<'E'\n"
        "[core]\nfsmonitor = \"touch $RAN\"\npager = touch ../outside/ran\neditor = touch "
        "../outside/ran\n"
        "hooksPath = ../outside/hooks\nsshCommand = touch ../outside/ran\n"
        "[diff]\nexternal = touch ../outside/ran\n"
        "[diff \"x\"]\ntextconv = touch ../outside/ran;cat\ncommand = touch ../outside/ran\n"
        "[filter \"x\"]\nclean = touch ../outside/ran;cat\nsmudge = touch ../outside/ran;cat\n"
        "process = touch ../outside/ran\nrequired = true\n"
        "[merge \"x\"]\ndriver = touch ../outside/ran\n"
        "[gpg]\nprogram = touch ../outside/ran\n[commit]\ngpgSign = true\n[tag]\ngpgSign = true\n"
        "[credential]\nhelper = touch ../outside/ran\n[alias]\nstatus = !touch ../outside/ran\nE\n"
        "echo '* diff=x filter=x merge=x' >.gitattributes; mkdir ../outside/hooks;"
        "for h in pre-commit post-commit post-checkout reference-transaction post-index-change; do "
        "printf '#!/bin/sh\\ntouch ../outside/ran\\n' >../outside/hooks/$h; cp ../outside/hooks/$h "
        ".git/hooks; done;"
        "chmod +x ../outside/hooks/* .git/hooks/*; echo three >a");
    taken("root", ",\"write\":true,\"author\":{\"name\":\"I\",\"email\":\"i@x\"}");
    static const char *const rows[][2] = {
        { "git_status", "{}" },
        { "git_diff", "{}" },
        { "git_show", "{}" },
        { "git_log", "{\"files\":true}" },
        { "git_blame", "{\"path\":\"a\"}" },
        { "git_grep", "{\"pattern\":\"t\"}" },
        { "git_branches", "{}" },
        { "git_stash", "{}" },
        { "git_stash_pop", "{}" },
        { "git_stage", "{\"paths\":[\"a\"]}" },
        { "git_commit", "{\"message\":\"x\"}" },
        { "git_tag", "{\"name\":\"t\",\"message\":\"x\"}" },
        { "git_revert", "{\"revision\":\"HEAD\"}" },
        { "git_restore", "{\"paths\":[\"a\"],\"revision\":\"HEAD\"}" },
        { "git_switch", "{\"revision\":\"HEAD~1\"}" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ask(rows[i][0], "%s", rows[i][1]);
    assert_false(is_there(at("outside/ran")));
    git_end();
}

/* ---- formats that are not supported --------------------------------------------------------- */

static void test_what_is_not_supported_is_told(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        { "git init -q --object-format=sha256 .",
          "extensions.objectformat: its object ids are not SHA-1" },
        { "git init -q .; git config core.repositoryformatversion 1; git config "
          "extensions.refStorage reftable",
          "its references are in another form than files (reftable)" },
        { "git init -q .; git config core.repositoryformatversion 1; git config "
          "extensions.partialClone origin",
          "it is a partial clone, of which objects may be missing" },
        { "git init -q .; git config core.repositoryformatversion 1; git config "
          "extensions.worktreeConfig true",
          "its worktrees have configurations of their own" },
        { "git init -q .; git config core.repositoryformatversion 1; git config "
          "extensions.somethingNew true",
          "unsupported extension name extensions.somethingnew" },
        { "git init -q .; git config core.repositoryformatversion 2",
          "unsupported repository version 2" },
    };
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SHELL("rm -rf ../outside/u; mkdir ../outside/u; cd ../outside/u; %s", rows[i][0]);
        refused("outside/u", "", rows[i][1]);
    }
    git_end();
}

static void test_whose_files_they_are_does_not_matter(void **state)
{
    (void)state;
    if (getuid() != 0)
        skip();
    begin();
    SHELL("chown -R 12345:12345 .");
    taken("root", "");
    CHECK_OK("git_log", "{}", "second");
    git_end();
}

/* ---- what is broken ------------------------------------------------------------------------- */

static void test_references_that_lead_nowhere_are_named(void **state)
{
    (void)state;
    begin();
    SHELL("echo 'ref: refs/heads/l2' >.git/refs/heads/l1; echo 'ref: refs/heads/l1' "
          ">.git/refs/heads/l2;"
          "echo 0123456789012345678901234567890123456789 >.git/refs/heads/gone;"
          "echo 0123456789012345678901234567890123456789 >.git/refs/tags/gone; git tag tree "
          "HEAD^{tree}");
    taken("root", "");
    const struct json *b = ask("git_branches", "{\"details\":false}");
    SAME(column(member(b, "branches"), "name"), "main");
    SAME(column(member(b, "broken"), "name"), "gone");
    b = ask("git_tags", "{}");
    SAME(column(member(b, "tags"), "name"), "tree");
    SAME(column(member(b, "broken"), "name"), "gone");
    CHECK_FAIL("git_log", "{\"range\":\"l1\"}", "range: \"l1\"");
    CHECK_FAIL("git_log", "{\"range\":\"gone\"}", "range: \"gone\"");
    CHECK_OK("git_log", "{\"all\":true}", "second");
    SHELL("echo 'ref: refs/heads/l1' >.git/HEAD");
    CHECK_FAIL("git_status", "{}", "HEAD: ");
    SHELL("echo garbage >.git/HEAD");
    CHECK_FAIL("git_status", "{}", "HEAD: ");
    /* What is no reference at all is passed over, as git does. */
    SHELL("echo 'ref: refs/heads/main' >.git/HEAD; echo garbage >.git/refs/heads/bad");
    b = ask("git_branches", "{}");
    SAME(column(member(b, "branches"), "name"), "main");
    SAME(column(member(b, "broken"), "name"), "gone");
    git_end();
}

/* Overwrite a loose object's file with what a shell line prints. */
static void spoil(const char *object, const char *command)
{
    char id[64];
    strcpy(id, said("git rev-parse %s", object));
    SHELL("f=.git/objects/%.2s/%s; chmod u+w $f; %s", id, id + 2, command);
}

static void test_objects_that_are_broken_are_named(void **state)
{
    (void)state;
    begin();
    SHELL("cp -r .git ../outside/whole");
    taken("root", "");
    static const struct {
        const char *object, *command, *name, *input, *want;
    } rows[] = {
        { "HEAD~1", "rm $f", "git_log", "{}",
          "the history has a commit that cannot be read: object not found" },
        { "HEAD~1", "printf xx >$f", "git_log", "{}",
          "the history has a commit that cannot be read: " },
        { "HEAD~1", ": >$f", "git_branches", "{\"base\":\"HEAD\"}", "" },
        { "HEAD^{tree}", "rm $f", "git_files", "{\"revision\":\"HEAD\"}",
          "the tree of a commit: " },
        { "HEAD^{tree}", "printf xx >$f", "git_show", "{}", "the tree of a commit: " },
        { "HEAD:a", "rm $f", "git_read", "{\"path\":\"a\"}", "a: object not found" },
        { "HEAD:a", "printf xx >$f", "git_read", "{\"path\":\"a\"}", "a: " },
        { "HEAD:a", "printf xx >$f", "git_show", "{}", "a: " },
        { "HEAD:a", "printf xx >$f", "git_blame", "{\"path\":\"a\",\"revision\":\"HEAD\"}", "a: " },
        /* Another object's content under this id. */
        { "HEAD:a", "cp .git/objects/$(git rev-parse HEAD:d/b | sed 's/../&\\//') $f", "git_read",
          "{\"path\":\"a\"}", "hash mismatch" },
        /* A head that promises a terabyte. */
        { "HEAD:a",
          "printf 'blob 1099511627776\\0x' | python3 -c 'import sys,zlib; "
          "sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))' >$f",
          "git_read", "{\"path\":\"a\"}", "a: has 1099511627776 bytes" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SHELL("rm -rf .git; cp -r ../outside/whole .git");
        spoil(rows[i].object, rows[i].command);
        if (rows[i].want[0])
            CHECK_FAIL(rows[i].name, rows[i].input, rows[i].want);
    }
    SHELL("rm -rf .git; cp -r ../outside/whole .git; printf 'DIRC\\0\\0\\0\\2\\377\\377\\377\\377' "
          ">.git/index");
    CHECK_FAIL("git_status", "{}", "the index: ");
    SHELL("echo garbage >.git/index");
    CHECK_FAIL("git_status", "{}", "the index: ");
    SHELL("rm -rf .git; cp -r ../outside/whole .git; git gc -q; p=$(ls .git/objects/pack/*.pack);"
          "chmod u+w $p; s=$(stat -c %%s $p); truncate -s $((s / 2)) $p");
    CHECK_FAIL("git_log", "{}", "");
    char want[200], id[64];
    strcpy(id, said("git rev-parse HEAD"));
    SHELL("rm -f .git/objects/pack/*");
    snprintf(want, sizeof want, "HEAD: its commit %s: ", id);
    CHECK_FAIL("git_status", "{}", want);
    snprintf(want, sizeof want, "revision: \"HEAD\" is at %s, which is missing or cannot be read",
             id);
    CHECK_FAIL("git_read", "{\"path\":\"a\"}", want);
    git_end();
}

/* Every byte of some files of a small repository, spoilt one after the other: whatever comes of it,
 * a call ends, and its answer is one. */
static void test_no_byte_that_is_spoilt_does_harm(void **state)
{
    (void)state;
    static const char *const files[] = { ".git/index", ".git/packed-refs", ".git/HEAD",
                                         ".git/logs/HEAD", ".git/config" };
    begin();
    SHELL("git pack-refs --all");
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char whole[4096];
        int fd = open(at("root/%s", files[f]), O_RDONLY);
        ssize_t len = read(fd, whole, sizeof whole);
        close(fd);
        assert_true(len > 0);
        for (ssize_t i = 0; i < len; i += 1 + len / 150) {
            char settings[300], kept = whole[i];
            whole[i] = (char)(kept ^ (1 << (i % 8)));
            put_file(at("root/%s", files[f]), whole, (size_t)len);
            whole[i] = kept;
            snprintf(settings, sizeof settings, "{\"repository\":\"%s/root\"}", scratch);
            if (plugin_try(settings))
                continue;
            static const char *const names[] = { "git_status", "git_branches", "git_reflog" };
            for (size_t k = 0; k < 3; k++) {
                th_call call = { 0 };
                if (plugin_run(&call, names[k], "{}") == TH_OK)
                    check_schema(names[k], "output", plugin_tool(names[k])->output_schema,
                                 call.output.ptr);
                else
                    assert_true(call.error.len > 0);
                call_fini(&call);
            }
        }
        put_file(at("root/%s", files[f]), whole, (size_t)len);
    }
    git_end();
}

/* ---- what is too much ----------------------------------------------------------------------- */

static void test_large_contents_are_not_looked_at(void **state)
{
    (void)state;
    begin();
    SHELL("head -c 40000000 /dev/zero | tr '\\0' 'x' >big; cp big big2; echo y >>big2; git add .;"
          "git commit -qm big; git mv big moved; echo z >>moved; git add .; git commit -qm moved");
    taken("root", "");
    CHECK_FAIL("git_read", "{\"path\":\"moved\"}", "more than the 16777216 that are read at once");
    CHECK_OK("git_show", "{}", "\"too_large\":true");
    CHECK_FAIL("git_blame", "{\"path\":\"moved\",\"revision\":\"HEAD\"}", "more than the 16777216");
    CHECK_FAIL("git_blame", "{\"path\":\"moved\"}", "above the configured max_bytes");
    assert_int_equal(int_in(ask("git_grep", "{\"pattern\":\"x\"}"), "too_large_skipped"), 2);
    assert_int_equal(
        int_in(ask("git_grep", "{\"pattern\":\"x\",\"revision\":\"HEAD\"}"), "too_large_skipped"),
        2);
    git_end();
}

static void test_trees_that_are_too_deep_or_odd_are_named(void **state)
{
    (void)state;
    begin();
    SHELL("b=$(echo x | git hash-object -w --stdin); t=$(printf '100644 blob %%s\\tf\\n' $b | git "
          "mktree);"
          "for i in $(seq 1 300); do t=$(printf '040000 tree %%s\\tt\\n' $t | git mktree); done;"
          "git branch deep $(git commit-tree -m deep $t)");
    taken("root", ",\"write\":true,\"author\":{\"name\":\"I\",\"email\":\"i@x\"}");
    CHECK_FAIL("git_files", "{\"revision\":\"deep\"}", "is deeper than 256 folders");
    CHECK_FAIL("git_show", "{\"revision\":\"deep\"}", "is deeper than 256 folders");
    CHECK_FAIL("git_switch", "{\"branch\":\"deep\"}", "is deeper than 256 folders");
    /* Names that no worktree may have. */
    static const char *const names[] = { ".git", "..", ".GIT", "a/b", "." };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SHELL("b=$(echo evil | git hash-object -w --stdin); git branch -f odd $(git commit-tree -m "
              "odd "
              "$(printf '100644 %s\\0%%b' $(echo $b | sed 's/../\\\\x&/g') | "
              "git hash-object -t tree -w --stdin --literally))",
              names[i]);
        th_call call = { 0 };
        assert_int_equal(plugin_run(&call, "git_switch", "{\"branch\":\"odd\"}"), TH_TOOL_ERROR);
        call_fini(&call);
        SAME(said("git symbolic-ref HEAD; git status --porcelain"), "refs/heads/main");
    }
    git_end();
}

static void test_commits_may_say_anything(void **state)
{
    (void)state;
    begin();
    SHELL(
        "t=$(git rev-parse HEAD^{tree}); c=$(printf 'tree %%s\\nauthor  <> 99999999999999 +9999\\n"
        "committer x <y> -5 -0000\\n\\n' $t | git hash-object -t commit -w --stdin --literally);"
        "git branch -f odd $c; c=$(printf 'tree %%s\\nauthor A\\001B <a\\377b> 1 +0000\\ncommitter "
        "C <c> 1 +0000\\n"
        "encoding x-unknown\\n\\n\\033[31mred\\377\\n' $t | git hash-object -t commit -w --stdin "
        "--literally);"
        "git branch -f odd2 $c");
    taken("root", "");
    CHECK_OK("git_log", "{\"range\":\"odd2\"}", "\\u001b[31mred\xef\xbf\xbd");
    th_call call = { 0 };
    (void)plugin_run(&call, "git_log", "{\"range\":\"odd\"}"); /* libgit2 takes it or does not */
    call_fini(&call);
    git_end();
}

/* ---- links ---------------------------------------------------------------------------------- */

static void test_nothing_is_read_or_written_through_a_link(void **state)
{
    (void)state;
    begin();
    SHELL("git checkout -q -b link; git rm -rq d; ln -s ../outside/private d; git add d; git "
          "commit -qm link;"
          "git checkout -q main");
    taken("root", ",\"write\":true,\"author\":{\"name\":\"I\",\"email\":\"i@x\"}");
    ask("git_switch", "{\"branch\":\"link\"}");
    CHECK_OK("git_grep", "{\"pattern\":\"secret\"}", "\"matches\":[]");
    ask("git_switch", "{\"branch\":\"main\"}"); /* the link goes, the folder comes */
    SAME(said("cat d/b; ls ../outside/private"), "b\ns");
    /* A link in the place of a folder with tracked files. */
    SHELL("rm -r d; ln -s ../outside/private d");
    CHECK_OK("git_grep", "{\"pattern\":\"secret\"}", "\"matches\":[]");
    CHECK_FAIL("git_blame", "{\"path\":\"d/s\"}", "no such file in the worktree");
    CHECK_FAIL("git_stage", "{\"paths\":[\"d/s\"]}", "neither tracked nor there");
    CHECK_FAIL("git_restore", "{\"paths\":[\"d/b\"]}", "d/b: stands beyond the symbolic link d");
    CHECK_FAIL("git_apply", "{\"diff\":\"--- /dev/null\\n+++ b/d/new\\n@@ -0,0 +1 @@\\n+x\\n\"}",
               "d/new: stands beyond the symbolic link d");
    CHECK_FAIL("git_apply",
               "{\"diff\":\"diff --git a/l b/l\\nnew file mode 120000\\n--- /dev/null\\n+++ "
               "b/l\\n@@ -0,0 +1 @@\\n"
               "+../outside\\n\\\\ No newline at end of file\\n"
               "diff --git a/l/x b/l/x\\nnew file mode 100644\\n--- /dev/null\\n+++ b/l/x\\n@@ "
               "-0,0 +1 @@\\n+x\\n\"}",
               "l/x stands beyond the link l that it makes");
    CHECK_FAIL("git_clean", "{\"remove\":[\"d/s\"]}", "d/s is not listed");
    CHECK_FAIL("git_stash", "{}", "stands beyond the symbolic link d");
    SAME(said("ls ../outside/private; cat ../outside/private/s"), "s\nsecret");
    git_end();
}

static void test_what_is_no_file_is_passed_over(void **state)
{
    (void)state;
    begin();
    SHELL("mkfifo pipe; rm a; mkfifo a");
    taken("root", ",\"write\":true");
    CHECK_OK("git_status", "{}", "\"path\":\"a\"");
    CHECK_OK("git_grep", "{\"pattern\":\"one\"}", "\"unreadable\":1");
    CHECK_FAIL("git_blame", "{\"path\":\"a\"}", "no such file in the worktree");
    git_end();
}

/* A file that this process may not write ends nothing half. */
static void test_files_that_may_not_be_written_are_refused_before(void **state)
{
    (void)state;
    begin();
    SHELL("git checkout -q -b big; head -c 3000000 /dev/urandom >big; git add big; git commit -qm "
          "big;"
          "git checkout -q main");
    taken("root", ",\"write\":true,\"author\":{\"name\":\"I\",\"email\":\"i@x\"}");
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){ 1000000, before.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK_FAIL("git_switch", "{\"branch\":\"big\"}",
               "big: has 3000000 bytes, more than the 1000000 that this process may write");
    setrlimit(RLIMIT_FSIZE, &before);
    SAME(said("git symbolic-ref HEAD; git status --porcelain"), "refs/heads/main");
    ask("git_switch", "{\"branch\":\"big\"}");
    git_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_git_file_that_leads_outside_is_refused),
        cmocka_unit_test(test_worktrees_and_submodules_name_their_place_back),
        cmocka_unit_test(test_other_files_that_lead_outside_are_refused),
        cmocka_unit_test(test_includes_are_refused),
        cmocka_unit_test(test_includes_of_gitmodules_are_refused_before_they_are_followed),
        cmocka_unit_test(test_what_another_process_staged_meanwhile_is_kept),
        cmocka_unit_test(test_names_that_lead_out_are_broken),
        cmocka_unit_test(test_locks_that_were_left_behind_are_named),
        cmocka_unit_test(test_nothing_of_the_user_or_the_machine_is_read),
        cmocka_unit_test(test_nothing_that_a_repository_names_is_run),
        cmocka_unit_test(test_what_is_not_supported_is_told),
        cmocka_unit_test(test_whose_files_they_are_does_not_matter),
        cmocka_unit_test(test_references_that_lead_nowhere_are_named),
        cmocka_unit_test(test_objects_that_are_broken_are_named),
        cmocka_unit_test(test_no_byte_that_is_spoilt_does_harm),
        cmocka_unit_test(test_large_contents_are_not_looked_at),
        cmocka_unit_test(test_trees_that_are_too_deep_or_odd_are_named),
        cmocka_unit_test(test_commits_may_say_anything),
        cmocka_unit_test(test_nothing_is_read_or_written_through_a_link),
        cmocka_unit_test(test_what_is_no_file_is_passed_over),
        cmocka_unit_test(test_files_that_may_not_be_written_are_refused_before),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
