/* git: every allocation of ours fails once in every action; the call ends with an error, nothing is
 * left behind, and what was to be changed is as it was. */
#include "plugins/git_fixture.h"

#include "support/nomem.h"

static const struct {
    const char *name, *input;
    bool changes;
} rows[] = {
    { "git_status", "{\"ignored\":true}", false },
    { "git_log", "{\"files\":true,\"body\":true,\"author\":\"a\"}", false },
    { "git_log", "{\"range\":\"main~2..main\",\"path\":\"b\",\"follow\":true}", false },
    { "git_log", "{\"range\":\"main...other\",\"path\":\"d\"}", false },
    { "git_log", "{\"all\":true}", false },
    { "git_show", "{}", false },
    { "git_read", "{\"path\":\"bin\"}", false },
    { "git_read", "{\"path\":\"b\",\"first_line\":2,\"revision\":\"index\"}", false },
    { "git_diff", "{\"untracked\":true}", false },
    { "git_diff", "{\"from\":\"main\",\"to\":\"other\",\"merge_base\":true}", false },
    { "git_blame", "{\"path\":\"b\"}", false },
    { "git_grep", "{\"pattern\":\"t(w)o\",\"regex\":true,\"ignore_case\":true}", false },
    { "git_grep", "{\"pattern\":\"two\",\"revision\":\"main\",\"glob\":\"*\"}", false },
    { "git_branches", "{\"kind\":\"all\"}", false },
    { "git_tags", "{\"contains\":\"main~1\"}", false },
    { "git_files", "{\"last_commit\":true}", false },
    { "git_files", "{\"revision\":\"main\",\"path\":\"d\"}", false },
    { "git_renames", "{}", false },
    { "git_merge_base", "{\"revisions\":[\"main\",\"other\",\"main~1\"]}", false },
    { "git_contributors", "{\"path\":\"b\",\"lines\":true,\"changes\":true}", false },
    { "git_reflog", "{}", false },
    { "git_worktrees", "{}", false },
    { "git_stashes", "{}", false },
    { "git_stage", "{\"paths\":[\"b\",\"n\"]}", true },
    { "git_stage", "{\"paths\":[\"**\"],\"glob\":true}", true },
    { "git_stage", "{\"entries\":[{\"path\":\"b\"}]}", true },
    { "git_unstage", "{\"paths\":[\"s\"]}", true },
    { "git_commit", "{\"message\":\"x\",\"author\":{\"name\":\"E\",\"email\":\"e\"}}", true },
    { "git_create_branch", "{\"name\":\"x\",\"upstream\":\"other\"}", true },
    { "git_delete_branch", "{\"name\":\"follows\",\"force\":true}", true },
    { "git_switch", "{\"branch\":\"other\"}", true },
    { "git_restore", "{\"paths\":[\"b\"]}", true },
    { "git_restore", "{\"paths\":[\"b\",\"s\"],\"revision\":\"main~1\"}", true },
    { "git_stash", "{\"untracked\":true,\"message\":\"m\"}", true },
    { "git_stash_pop", "{}", true },
    { "git_revert", "{\"revision\":\"main\"}", true },
    { "git_tag", "{\"name\":\"x\",\"message\":\"m\"}", true },
    { "git_worktree_add", "{\"name\":\"w\"}", true },
    { "git_worktree_remove", "{\"name\":\"there\",\"force\":true}", true },
    { "git_apply", "{\"diff\":\"--- a/d/f\\n+++ b/d/f\\n@@ -1 +1 @@\\n-f\\n+F\\n\"}", true },
    { "git_clean", "{}", false },
    { "git_clean", "{\"remove\":[\"n\"]}", true },
};

/* ---- what there is, apart from objects ------------------------------------------------------ */

static uint64_t print;

static int add_to_print(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    static char bytes[65536];
    (void)ftw;
    if (strstr(path, "/objects/") || strstr(path, "/.git/logs"))
        return 0;
    print += mgi_hash_bytes(path, strlen(path), 7) * (type == FTW_F ? 3 : 5);
    int fd = type == FTW_F && S_ISREG(st->st_mode) ? open(path, O_RDONLY) : -1;
    ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : 0;
    if (fd >= 0)
        close(fd);
    print += mgi_hash_bytes(bytes, n > 0 ? (size_t)n : 0, mgi_hash_bytes(path, strlen(path), 11));
    return 0;
}

static uint64_t fingerprint(void)
{
    print = 0;
    nftw(at("root"), add_to_print, 16, FTW_PHYS);
    nftw(at("outside/trees"), add_to_print, 16, FTW_PHYS);
    return print;
}

/* ---- the repository ------------------------------------------------------------------------- */

static void make(void)
{
    SHELL("rm -rf .git * ../outside/trees; mkdir ../outside/trees; git init -q -b main .;"
          "printf 'one\\ntwo\\nthree\\n' >a; mkdir d; echo f >d/f; printf '\\0x' >bin; echo '*.o' "
          ">.gitignore;"
          "echo 'Ann <ann@example.org> <x@y>' >.mailmap; git add .; git commit -qm one");
    SHELL("git mv a b; echo four >>b; git commit -qam two; git branch other HEAD~1;"
          "git branch -q -t follows other; git worktree add -q -b there ../outside/trees/there");
    SHELL("printf 'one\\nTWO\\nthree\\nfour\\n' >b; git commit -qam three; git tag -a v1 -m v1;"
          "echo z >>d/f; git stash -q; git gc -q");
}

static void spoil(bool clean)
{
    SHELL("echo s >s; git add s; echo n >n; echo o >x.o");
    if (!clean)
        SHELL("echo more >>b");
    else
        SHELL("git rm -qf --cached s; rm s");
}

static bool wants_clean(const char *name)
{
    return strcmp(name, "git_switch") == 0 || strcmp(name, "git_stash_pop") == 0 ||
           strcmp(name, "git_revert") == 0;
}

static void test_every_action_survives_every_failed_allocation(void **state)
{
    (void)state;
    char more[300];
    git_begin();
    snprintf(more, sizeof more,
             ",\"write\":true,\"author\":{\"name\":\"I\",\"email\":\"i@x\"},\"worktrees\":\"%s/"
             "outside/trees\"",
             scratch);
    bool fresh = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!fresh || rows[i].changes) {
            make();
            spoil(wants_clean(rows[i].name));
            git_load(more);
        }
        fresh = !rows[i].changes;
        uint64_t before = fingerprint();
        for (size_t n = 1;; n++) {
            th_call call = { 0 };
            mgi_buf_reserve(&call.output, 100000); /* the host's, which has room */
            mgi_buf_reserve(&call.error, 5000);
            nomem_fail_at(n);
            th_status status = plugin_run(&call, rows[i].name, rows[i].input);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            if (!failed && status != TH_OK)
                fail_msg("%s: %s", rows[i].name, call.error.ptr);
            if (status != TH_OK && fingerprint() != before)
                fail_msg("%s: changed something at allocation %zu: %s", rows[i].name, n,
                         call.error.ptr ? call.error.ptr : "");
            bool done = !failed || (rows[i].changes && status == TH_OK);
            call_fini(&call);
            assert_true(n < 3000);
            if (done)
                break;
        }
    }
    git_end();
}

static void test_init_survives_every_failed_allocation(void **state)
{
    (void)state;
    char settings[400];
    git_begin();
    SHELL("git commit -q --allow-empty -m x");
    snprintf(settings, sizeof settings,
             "{\"repository\":\"%s/root\",\"write\":true,\"branches\":[\"a\",\"b/"
             "*\"],\"outside\":[\"/tmp\"],"
             "\"author\":{\"name\":\"I\",\"email\":\"i@x\"}}",
             scratch);
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        const char *why = plugin_try(settings);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(failed || !why);
        if (!failed)
            break;
    }
    git_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_action_survives_every_failed_allocation),
        cmocka_unit_test(test_init_survives_every_failed_allocation),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
