/* fs: what changes something. */
#include "plugins/plugin_host.h"
#include "plugins/scratch_folder.h"

#include <signal.h>
#include <sys/resource.h>

#include "plugins/fs/fs.h"

static struct fs_settings *settings_in_use(void)
{
    const struct {
        const th_host *host;
        const struct action_plugin *plugin;
    } *offered = plugin_tool("fs_write")->user;
    return (struct fs_settings *)offered->plugin->settings;
}

static int begin(void **state)
{
    (void)state;
    scratch_begin();
    static char settings[200];
    snprintf(settings, sizeof settings,
             "{\"root\":\"%s/root\",\"write\":true,\"max_bytes\":100000}", scratch);
    plugin_load(settings);
    umask(077); /* as in a worker */
    return 0;
}

/* As on a kernel without openat2 and exchanging renames. */
static int begin_plain(void **state)
{
    begin(state);
    settings_in_use()->plain = true;
    return 0;
}

static int end(void **state)
{
    (void)state;
    umask(022);
    plugin_unload();
    scratch_end();
    return 0;
}

static unsigned mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode & 07777;
}

/* Nothing temporary is ever left. */
static int left_over(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return strstr(path, ".manglecp-") != NULL;
}

static void check_clean(void)
{
    assert_int_equal(nftw(at("root"), left_over, 16, FTW_PHYS), 0);
}

static void test_side_effects_are_those_that_happen(void **state)
{
    (void)state;
    static const struct {
        const char *name, *effects;
        uint32_t flags;
    } rows[] = {
        { "fs_write", "filesystem_read filesystem_write ", TH_TOOL_IDEMPOTENT },
        { "fs_patch", "filesystem_read filesystem_write ", 0 },
        { "fs_mkdir", "filesystem_write ", TH_TOOL_IDEMPOTENT | TH_TOOL_REVERSIBLE },
        { "fs_move", "filesystem_write ", TH_TOOL_REVERSIBLE },
        { "fs_copy", "filesystem_read filesystem_write ", TH_TOOL_REVERSIBLE },
        { "fs_delete", "filesystem_delete ", 0 },
    };
    assert_int_equal(plugin_tools.count, 10);
    check_descriptors();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tool_copy *t = plugin_tool(rows[i].name);
        char effects[128] = "";
        for (size_t k = 0; k < 4 && t->effects[k][0]; k++)
            strcat(strcat(effects, t->effects[k]), " ");
        assert_string_equal(effects, rows[i].effects);
        assert_int_equal(t->flags & ~(uint32_t)TH_TOOL_FAST_CANCEL, rows[i].flags);
    }
}

static void test_nothing_is_overwritten_unseen(void **state)
{
    (void)state;
    CHECK_OK(
        "fs_write", "{\"path\":\"a\",\"text\":\"one\"}",
        "\"size\":3,\"sha256\":\"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431"
        "ed\",\"created\":true,\"changed\":true");
    assert_string_equal(get_text(at("root/a")), "one");
    assert_int_equal(mode_of(at("root/a")), 0644);
    /* Repeated, it does nothing; with other content it is refused. */
    CHECK_OK("fs_write", "{\"path\":\"a\",\"text\":\"one\"}",
             "\"created\":false,\"changed\":false");
    CHECK_FAIL("fs_write", "{\"path\":\"a\",\"text\":\"two\"}", "is there already");
    CHECK_FAIL("fs_write",
               "{\"path\":\"a\",\"text\":\"two\",\"mode\":\"replace\",\"expected_sha256\":"
               "\"0000000000000000000000000000000000000000000000000000000000000000\"}",
               "a: has changed: its sha256 is 7692c3ad");
    CHECK_OK(
        "fs_write",
        "{\"path\":\"a\",\"text\":\"two\",\"mode\":\"replace\",\"expected_sha256\":\"7692c3ad3540bb"
        "803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed\"}",
        "\"created\":false,\"changed\":true");
    assert_string_equal(get_text(at("root/a")), "two");
    chmod(at("root/a"), 0750);
    CHECK_OK("fs_write", "{\"path\":\"a\",\"base64\":\"/wB4\",\"mode\":\"either\"}", "\"size\":3");
    assert_int_equal(mode_of(at("root/a")), 0750);
    CHECK_OK("fs_write",
             "{\"path\":\"a\",\"text\":\"x\",\"mode\":\"either\",\"permissions\":\"600\"}", NULL);
    assert_int_equal(mode_of(at("root/a")), 0600);
    CHECK_FAIL("fs_write", "{\"path\":\"b\",\"text\":\"x\",\"mode\":\"replace\"}",
               "b: not found; to create it");
    CHECK_FAIL("fs_write", "{\"path\":\"x/y/z\",\"text\":\"x\"}", "say \"parents\": true");
    CHECK_OK("fs_write", "{\"path\":\"x/y/z\",\"text\":\"x\",\"parents\":true}", NULL);
    assert_int_equal(mode_of(at("root/x/y")), 0755);
    check_clean();
}

static void test_arguments_of_a_write_are_all_told(void **state)
{
    (void)state;
    CHECK_FAIL(
        "fs_write",
        "{\"path\":\"/a\",\"text\":\"\",\"base64\":\"\",\"mode\":\"append\",\"permissions\":"
        "\"888\",\"expected_sha256\":\"x\",\"parent\":true}",
        "parent: no such argument; did you mean parents?; path: \"/a\" is absolute; paths begin "
        "at the root; mode: \"append\" is none of create, replace, either; text, base64: say one "
        "of them; expected_sha256: is not 64");
    CHECK_FAIL("fs_write", "{\"path\":\"a\",\"base64\":\"ab=\"}", "is no base64");
    CHECK_FAIL("fs_write", "{\"path\":\"a\",\"base64\":\"YQ=a\"}", "is no base64");
    CHECK_FAIL("fs_write", "{\"path\":\"a\",\"base64\":\"YR==\"}", "is no base64");
    CHECK_FAIL("fs_write", "{\"path\":\"a\",\"text\":\"x\",\"permissions\":\"4755\"}",
               "three octal");
    CHECK_FAIL("fs_write", "{\"path\":\".\",\"text\":\"x\"}", "the root is no file");
    char *input = malloc(200100);
    strcpy(input, "{\"path\":\"a\",\"text\":\"");
    size_t len = strlen(input);
    memset(input + len, 'x', 150000);
    strcpy(input + len + 150000, "\"}");
    CHECK_FAIL("fs_write", input, "150000 bytes are more than the 100000");
    free(input);
    assert_false(is_there(at("root/a")));
}

static void test_links_and_special_files_are_not_written_through(void **state)
{
    (void)state;
    put_text(at("outside/file"), "safe");
    put_text(at("root/file"), "safe");
    mkdir(at("root/in"), 0755);
    assert_int_equal(symlink("../outside/file", at("root/out")), 0);
    assert_int_equal(symlink("../outside", at("root/dir")), 0);
    assert_int_equal(symlink("file", at("root/alias")), 0);
    assert_int_equal(mkfifo(at("root/fifo"), 0644), 0);
    static const char *const rows[][3] = {
        { "fs_write", "{\"path\":\"out\",\"text\":\"x\",\"mode\":\"either\"}",
          "is a symbolic link" },
        { "fs_write", "{\"path\":\"alias\",\"text\":\"x\",\"mode\":\"either\"}",
          "is a symbolic link; write to what it leads to" },
        { "fs_write", "{\"path\":\"fifo\",\"text\":\"x\",\"mode\":\"either\"}", "is a fifo" },
        { "fs_write", "{\"path\":\"in\",\"text\":\"x\",\"mode\":\"either\"}", "is a folder" },
        { "fs_write", "{\"path\":\"dir/x\",\"text\":\"x\"}", "" },
        { "fs_mkdir", "{\"path\":\"dir/x\"}", "" },
        { "fs_mkdir", "{\"path\":\"dir/x/y\",\"parents\":true}", "" },
        { "fs_delete", "{\"path\":\"dir/file\"}", "" },
        { "fs_move", "{\"path\":\"dir/file\",\"to\":\"stolen\"}", "" },
        { "fs_move", "{\"path\":\"file\",\"to\":\"dir/x\"}", "" },
        { "fs_copy", "{\"path\":\"out\",\"to\":\"stolen\"}", "" },
        { "fs_copy", "{\"path\":\"file\",\"to\":\"dir/x\"}", "" },
        { "fs_copy", "{\"path\":\"dir\",\"to\":\"stolen\",\"recursive\":true}", "" },
        { "fs_patch", "{\"edits\":[{\"path\":\"dir/file\",\"old\":\"safe\",\"new\":\"gone\"}]}",
          "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_FAIL(rows[i][0], rows[i][1],
                   rows[i][2][0]              ? rows[i][2]
                   : settings_in_use()->plain ? "a symbolic link stands in the way"
                                              : "leads out of the root");
    assert_string_equal(get_text(at("outside/file")), "safe");
    assert_false(is_there(at("outside/x")));
    assert_false(is_there(at("root/stolen")));
    /* A link itself can be moved and deleted: what it leads to stays. */
    CHECK_OK("fs_move", "{\"path\":\"dir\",\"to\":\"in/dir\"}", NULL);
    CHECK_OK("fs_delete", "{\"path\":\"in\",\"recursive\":true}", "\"deleted\":2");
    CHECK_OK("fs_delete", "{\"path\":\"out\"}", "\"type\":\"symlink\",\"deleted\":1");
    assert_string_equal(get_text(at("outside/file")), "safe");
    check_clean();
}

static void test_folders_are_made_moved_copied_and_deleted(void **state)
{
    (void)state;
    CHECK_OK("fs_mkdir", "{\"path\":\"a/b/c\",\"parents\":true}", "\"created\":3");
    CHECK_OK("fs_mkdir", "{\"path\":\"a/b/c\",\"parents\":true}", "\"created\":0");
    CHECK_FAIL("fs_mkdir", "{\"path\":\"x/y\"}", "not found");
    put_text(at("root/a/f"), "text");
    chmod(at("root/a/f"), 0755);
    put_text(at("root/a/b/g"), "more");
    assert_int_equal(symlink("f", at("root/a/link")), 0);
    CHECK_FAIL("fs_mkdir", "{\"path\":\"a/f\"}", "a/f: is there already, and no folder");
    CHECK_FAIL("fs_copy", "{\"path\":\"a\",\"to\":\"z\"}", "is a folder; to copy all");
    CHECK_OK("fs_copy", "{\"path\":\"a\",\"to\":\"z\",\"recursive\":true}",
             "\"files\":2,\"folders\":3,\"bytes\":8,\"skipped\":1");
    assert_string_equal(get_text(at("root/z/b/g")), "more");
    assert_int_equal(mode_of(at("root/z/f")), 0755);
    CHECK_FAIL("fs_copy", "{\"path\":\"a\",\"to\":\"z\",\"recursive\":true}", "is there already");
    CHECK_FAIL("fs_copy", "{\"path\":\"a\",\"to\":\"a/b/x\",\"recursive\":true}", "into itself");
    CHECK_FAIL("fs_copy", "{\"path\":\"a/f\",\"to\":\"z/f\"}", "is there already");
    CHECK_FAIL("fs_copy", "{\"path\":\"a\",\"to\":\"q\",\"recursive\":true,\"max_entries\":3}",
               "more than 3 entries (max_entries); nothing was done");
    assert_false(is_there(at("root/q")));
    if (!settings_in_use()->plain)
        CHECK_OK("fs_copy", "{\"path\":\"a/link\",\"to\":\"h\"}", "\"files\":1");
    CHECK_FAIL("fs_move", "{\"path\":\"a/f\",\"to\":\"z/f\"}",
               "z/f: is there already; nothing is ever replaced by a move");
    CHECK_FAIL("fs_move", "{\"path\":\"a\",\"to\":\"a/b/x\"}", "into itself");
    CHECK_OK("fs_move", "{\"path\":\"a/b\",\"to\":\"b2\"}", NULL);
    CHECK_OK("fs_move", "{\"path\":\"a/f\",\"to\":\"f2\"}", NULL);
    assert_string_equal(get_text(at("root/b2/g")), "more");
    assert_string_equal(get_text(at("root/f2")), "text");
    assert_false(is_there(at("root/a/f")));
    CHECK_FAIL("fs_move", "{\"path\":\"a/f\",\"to\":\"f3\"}", "a/f: not found");
    CHECK_FAIL("fs_delete", "{\"path\":\"z\"}", "the folder is not empty");
    CHECK_FAIL("fs_delete", "{\"path\":\"z\",\"recursive\":true,\"max_entries\":3}",
               "nothing was done");
    assert_true(is_there(at("root/z/f")));
    CHECK_OK("fs_delete", "{\"path\":\"z\",\"recursive\":true}", "\"deleted\":5");
    assert_false(is_there(at("root/z")));
    CHECK_OK("fs_delete", "{\"path\":\"f2\"}", "\"type\":\"file\",\"deleted\":1");
    CHECK_FAIL("fs_delete", "{\"path\":\"f2\"}", "f2: not found");
    CHECK_FAIL("fs_delete", "{\"path\":\".\",\"recursive\":true}", "the root itself is left alone");
    CHECK_FAIL("fs_delete", "{\"path\":\"./\",\"recursive\":true}",
               "the root itself is left alone");
    CHECK_FAIL("fs_move", "{\"path\":\".\",\"to\":\"x\"}", "the root itself");
    CHECK_OK("fs_delete", "{\"path\":\"b2\",\"recursive\":true}", "\"deleted\":3");
    check_clean();
}

#define DIFF(path, rest) "{\"diff\":\"--- a/" path "\\n+++ b/" path "\\n" rest "\"}"

static void test_patches_fit_exactly_or_change_nothing(void **state)
{
    (void)state;
    put_text(at("root/p"), "1\n2\n3\n4\n5\n6\n7\n");
    put_text(at("root/q"), "no end");
    CHECK_OK(
        "fs_patch",
        DIFF("p", "@@ -1,3 +1,3 @@\\n 1\\n-2\\n+two\\n 3\\n@@ -6,2 +6,3 @@\\n 6\\n+6b\\n 7\\n"),
        "{\"path\":\"p\",\"created\":false,\"changed\":true,\"size\":19,");
    assert_string_equal(get_text(at("root/p")), "1\ntwo\n3\n4\n5\n6\n6b\n7\n");
    CHECK_OK("fs_patch",
             DIFF("q", "@@ -1 +1 @@\\n-no end\\n\\\\ No newline at end of file\\n+an end\\n"),
             "\"pieces\":1");
    assert_string_equal(get_text(at("root/q")), "an end\n");
    CHECK_OK("fs_patch",
             DIFF("q", "@@ -1 +1 @@\\n-an end\\n+none\\n\\\\ No newline at end of file"), NULL);
    assert_string_equal(get_text(at("root/q")), "none");
    /* An insertion without context, and a new file. */
    CHECK_OK("fs_patch", DIFF("p", "@@ -0,0 +1 @@\\n+first\\n"), NULL);
    assert_string_equal(get_text(at("root/p")), "first\n1\ntwo\n3\n4\n5\n6\n6b\n7\n");
    CHECK_OK("fs_patch",
             "{\"diff\":\"diff --git a/n b/n\\nnew file mode 100644\\nindex 0..1\\n--- "
             "/dev/null\\n+++ b/n\\n@@ -0,0 +1,2 @@\\n+a\\n+b\\n\"}",
             "\"created\":true");
    assert_string_equal(get_text(at("root/n")), "a\nb\n");
    CHECK_FAIL("fs_patch", "{\"diff\":\"--- /dev/null\\n+++ b/n\\n@@ -0,0 +1 @@\\n+c\\n\"}",
               "n: is there already");
    /* Two files: the second one does not fit, so the first one stays, too. */
    CHECK_FAIL(
        "fs_patch",
        "{\"diff\":\"--- a/n\\n+++ b/n\\n@@ -1 +1 @@\\n-a\\n+x\\n--- a/p\\n+++ b/p\\n@@ -1,2 +1,1 "
        "@@\\n 5\\n-6\\n\"}",
        "p: the hunk at line 8 of the diff does not fit: line 1 should be \"5\" and is \"first\"; "
        "it would fit at line 6");
    assert_string_equal(get_text(at("root/n")), "a\nb\n");
    check_clean();
}

static void test_faults_of_a_diff_say_where(void **state)
{
    (void)state;
    put_text(at("root/p"), "1\n2\n");
    static const char *const rows[][2] = {
        { "{\"diff\":\"nothing\"}", "no file in it" },
        { "{\"diff\":\"--- a/p\\nx\"}", "line 2 of the diff: expected \"+++ \"" },
        { DIFF("p", "x"), "line 3 of the diff: expected a hunk" },
        { DIFF("p", "@@ -1 +x @@"), "line 3 of the diff: expected \"@@ -line" },
        { DIFF("p", "@@ -1,2 +1 @@\\n 1\\n"), "says 2 old and 1 new lines, and has 1 and 1" },
        { DIFF("p", "@@ -1 +1 @@\\n 1\\n 2\\n"), "line 5 of the diff: belongs to no hunk" },
        { DIFF("p", "@@ -1 +1 @@\\n 1\\n+2\\n"), "line 5 of the diff: belongs to no hunk" },
        { DIFF("p", "@@ -2 +2 @@\\n 2\\n@@ -1 +1 @@\\n 1\\n"), "begins before the one above" },
        { DIFF("p", "@@ -9 +9 @@\\n 2\\n"), "and the file ends before it; it would fit at line 2" },
        { DIFF("p", "@@ -1,2 +1,2 @@\\n 1\\n-2\\n\\\\ No newline\\n+3\\n"),
          "differ in the line break" },
        { DIFF("../p", "@@ -1 +1 @@\\n 1\\n"), "has \"..\" in it" },
        { DIFF("none", "@@ -1 +1 @@\\n 1\\n"), "none: not found" },
        { "{\"diff\":\"--- a/p\\n+++ /dev/null\\n@@ -1,2 +0,0 @@\\n-1\\n-2\\n\"}",
          "not deleted by a patch" },
        { "{\"diff\":\"--- a/p\\n+++ b/q\\n@@ -1 +1 @@\\n 1\\n\"}", "two names" },
        { "{\"diff\":\"rename from p\\nrename to q\"}", "cannot be applied here" },
        { "{\"diff\":\"GIT binary patch\"}", "cannot be applied here" },
        { "{\"diff\":\"@@ -1 +1 @@\\n 1\"}", "a hunk without a file" },
        { "{\"diff\":\"--- /dev/null\\n+++ /dev/null\\n\"}", "on both sides" },
        { "{\"diff\":\"x\",\"edits\":[]}", "diff, edits: say one of them" },
        { "{}", "say one of them" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_FAIL("fs_patch", rows[i][0], rows[i][1]);
    assert_string_equal(get_text(at("root/p")), "1\n2\n");
}

static void test_texts_are_replaced_as_often_as_was_said(void **state)
{
    (void)state;
    put_text(at("root/e"), "a b a\na\n");
    put_text(at("root/f"), "x");
    CHECK_FAIL("fs_patch", "{\"edits\":[{\"path\":\"e\",\"old\":\"a\",\"new\":\"z\"}]}",
               "edit 1: e has the text \"old\" 3 times, not 1: lines 1, 1, 2");
    CHECK_FAIL(
        "fs_patch",
        "{\"edits\":[{\"path\":\"f\",\"old\":\"x\",\"new\":\"y\"},{\"path\":\"e\",\"old\":\"c\","
        "\"new\":"
        "\"z\"},{\"path\":\"e\",\"old\":\"\",\"extra\":1}]}",
        "edit 2: e does not have the text \"old\"; extra: no such argument; old: is empty; new: "
        "missing; in edit 3");
    assert_string_equal(get_text(at("root/f")), "x");
    CHECK_OK(
        "fs_patch",
        "{\"dry_run\":true,\"edits\":[{\"path\":\"e\",\"old\":\"a\",\"new\":\"aa\",\"count\":3}]}",
        "\"pieces\":3");
    assert_string_equal(get_text(at("root/e")), "a b a\na\n");
    CHECK_OK("fs_patch",
             "{\"edits\":[{\"path\":\"e\",\"old\":\"a\",\"new\":\"aa\",\"count\":3},{\"path\":"
             "\"e\",\"old\":"
             "\"b\",\"new\":\"\"},{\"path\":\"f\",\"old\":\"x\",\"new\":\"y\"}]}",
             "\"pieces\":4},{\"path\":\"f\"");
    assert_string_equal(get_text(at("root/e")), "aa  aa\naa\n");
    assert_string_equal(get_text(at("root/f")), "y");
    CHECK_FAIL("fs_patch", "{\"edits\":[]}", "edits: is empty");
    CHECK_FAIL("fs_patch", "{\"edits\":[7]}", "is no object; in edit 1");
    CHECK_FAIL("fs_patch", "{\"edits\":7}", "edits: not a list");
    check_clean();
}

/* The second of two files cannot take its name: the first one is put back. */
static void test_what_was_changed_is_put_back(void **state)
{
    (void)state;
    put_text(at("root/f"), "x");
    struct action a = { .settings = settings_in_use(), .host = &fake_host };
    th_call call = { .looks_left = -1 };
    a.call = &call;
    mgi_arena_init(&a.arena, 0);
    int root = mgi_fs_root(&a);
    struct fs_store s[2];
    for (int i = 0; i < 2; i++) {
        mgi_fs_store_init(&s[i]);
        s[i].path = i ? "new" : "f";
        s[i].when = i ? FS_CREATE : FS_REPLACE;
        s[i].content = STR_LIT("changed");
        assert_true(mgi_fs_store_prepare(&a, root, &s[i]));
        assert_true(mgi_fs_store_commit(&a, &s[i]));
    }
    assert_string_equal(get_text(at("root/f")), "changed");
    assert_string_equal(get_text(at("root/new")), "changed");
    for (int i = 0; i < 2; i++) {
        assert_true(mgi_fs_store_undo(&a, &s[i]));
        mgi_fs_store_fini(&s[i]);
    }
    assert_string_equal(get_text(at("root/f")), "x");
    assert_false(is_there(at("root/new")));
    /* Written between check and exchange: it is seen, and nothing of it is lost. */
    for (int i = 0; i < 2; i++) {
        mgi_fs_store_init(&s[0]);
        s[0].path = i ? "late" : "f";
        s[0].when = FS_EITHER;
        s[0].content = STR_LIT("changed");
        assert_true(mgi_fs_store_prepare(&a, root, &s[0]));
        put_text(at("root/%s", s[0].path), "by somebody else");
        assert_false(mgi_fs_store_commit(&a, &s[0]));
        assert_non_null(strstr(a.error.ptr, "was changed by somebody else meanwhile"));
        assert_string_equal(get_text(at("root/%s", s[0].path)), "by somebody else");
        mgi_fs_store_fini(&s[0]);
    }
    mgi_buf_fini(&a.error);
    mgi_arena_fini(&a.arena);
    check_clean();
}

static void test_a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    struct rlimit old, small = { 1000, 1000 };
    put_text(at("root/f"), "x");
    char input[3000];
    strcpy(input, "{\"path\":\"f\",\"mode\":\"either\",\"text\":\"");
    size_t len = strlen(input);
    memset(input + len, 'y', 2000);
    strcpy(input + len + 2000, "\"}");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    th_call call = { 0 };
    th_status status = plugin_run(&call, "fs_write", input);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, TH_TOOL_ERROR);
    assert_string_equal(call.error.ptr, "f: more than the process may write");
    call_fini(&call);
    assert_string_equal(get_text(at("root/f")), "x");
    check_clean();
}

static void test_a_cancelled_write_leaves_nothing(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        { "fs_write", "{\"path\":\"new\",\"text\":\"x\"}" },
        { "fs_patch", "{\"edits\":[{\"path\":\"f\",\"old\":\"x\",\"new\":\"y\"}]}" },
        { "fs_copy", "{\"path\":\"f\",\"to\":\"new\"}" },
    };
    put_text(at("root/f"), "x");
    for (size_t i = 0; i < 3; i++) {
        th_call call = { .looks_left = 1 };
        assert_int_equal(plugin_run(&call, rows[i][0], rows[i][1]), TH_TOOL_ERROR);
        assert_string_equal(call.error.ptr, "cancelled");
        call_fini(&call);
    }
    assert_string_equal(get_text(at("root/f")), "x");
    assert_false(is_there(at("root/new")));
    check_clean();
}

#define BOTH_WAYS(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, begin, end),                                             \
    {                                                                                              \
#test " (plain)", test, begin_plain, end, NULL                                             \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(test_side_effects_are_those_that_happen),
        BOTH_WAYS(test_nothing_is_overwritten_unseen),
        BOTH_WAYS(test_arguments_of_a_write_are_all_told),
        BOTH_WAYS(test_links_and_special_files_are_not_written_through),
        BOTH_WAYS(test_folders_are_made_moved_copied_and_deleted),
        BOTH_WAYS(test_patches_fit_exactly_or_change_nothing),
        BOTH_WAYS(test_faults_of_a_diff_say_where),
        BOTH_WAYS(test_texts_are_replaced_as_often_as_was_said),
        BOTH_WAYS(test_what_was_changed_is_put_back),
        BOTH_WAYS(test_a_full_disk_leaves_the_old_file),
        BOTH_WAYS(test_a_cancelled_write_leaves_nothing),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
