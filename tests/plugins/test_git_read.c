/* git: what is told of a repository, with the program git as the judge. */
#include "plugins/git_fixture.h"

/* ---- a small repository --------------------------------------------------------------------- */

/* main: 1 - 2 - 3 ------ merge - 6     side (merged): 4    next (not merged, from 3): 5 */
static void make_history(void)
{
    SHELL("printf 'one\\ntwo\\nthree\\nfour\\nfive\\n' >a.txt; mkdir src; echo 'int x;' >src/x.c;"
          "git add .; git commit -qm 'first'");
    SHELL("printf 'one\\nTWO\\nthree\\nfour\\nfive\\n' >a.txt; printf '\\0\\1\\2' >bin;"
          "git add .; git commit -qm 'second\n\nbecause it was two'");
    SHELL("git mv src/x.c src/y.c; git commit -qm 'renamed'; git branch next; git branch side");
    SHELL("git checkout -q side; echo six >>a.txt; git commit -qam 'on side'");
    SHELL("git checkout -q next; echo new >n.txt; git add n.txt; git commit -qm 'on next'");
    SHELL("git checkout -q main; git merge -q --no-ff -m 'merge side' side");
    SHELL(
        "git rm -q bin; git commit -qm 'without bin'; git tag plain; git tag -a v1 -m 'Version 1'");
}

static void test_descriptors_are_sound(void **state)
{
    (void)state;
    git_begin();
    git_load(",\"write\":true");
    assert_int_equal(plugin_tools.count, 31);
    check_descriptors();
    git_load("");
    assert_int_equal(plugin_tools.count, 16);
    for (size_t i = 0; i < plugin_tools.count; i++) {
        assert_string_equal(plugin_tools.tools[i].effects[0], "filesystem_read");
        assert_string_equal(plugin_tools.tools[i].effects[1], "");
        assert_true(plugin_tools.tools[i].flags & TH_TOOL_IDEMPOTENT);
    }
    git_end();
}

static void test_settings_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *want;
    } rows[] = {
        { "{}", "repository: missing" },
        { "{\"repository\":\"x\"}", "repository: \"x\" is no absolute path" },
        { "{\"repository\":\"/nowhere/at/all\"}", "/nowhere/at/all: No such file" },
        { "{\"repository\":\"/\"}", "is in no git repository" },
        { "{\"repository\":\"/\",\"branches\":[\"[\"],\"outside\":[\"x\"],\"worktrees\":\"y\"}",
          "worktrees: \"y\" is no absolute path; outside: \"x\" is no absolute path; branches: "
          "\"[\" has a [ without its ]" },
        { "{\"repository\":\"/\",\"author\":{\"name\":\"x\"}}", "email: missing" },
        { "{\"repository\":\"/\",\"author\":{\"name\":\"x\",\"mail\":\"y\"}}",
          "mail: no such argument; did you mean email?" },
        { "{\"repository\":\"/\",\"author\":{\"name\":\"\",\"email\":\"\",\"nmae\":\"Ann\"}}",
          "nmae: no such argument; did you mean name?" },
        { "{\"repository\":\"/\",\"author\":7}", "author: not an object" },
        { "{\"repository\":\"/\",\"author\":{}}", "name: missing; email: missing" },
        { "{\"repository\":\"/\",\"branches\":7}", "branches: not an array" },
        { "{\"repository\":\"/\",\"max_bytes\":0}", "max_bytes: 0 is not from 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *why = plugin_try(rows[i].settings);
        if (!why || !strstr(why, rows[i].want))
            fail_msg("%s\n got  %s\n want %s", rows[i].settings, why ? why : "success",
                     rows[i].want);
    }
    plugin_unload();
}

/* ---- status --------------------------------------------------------------------------------- */

static void test_status_of_an_empty_repository(void **state)
{
    (void)state;
    git_begin();
    git_load("");
    const struct json *s = ask("git_status", "{}");
    const struct json *head = member(s, "head");
    assert_true(true_in(head, "unborn") && !true_in(head, "detached"));
    assert_string_equal(text_in(head, "branch"), "main");
    assert_true(true_in(s, "clean"));
    assert_int_equal(member(ask("git_log", "{}"), "commits")->count, 0);
    assert_int_equal(member(ask("git_branches", "{}"), "branches")->count, 0);
    CHECK_FAIL("git_show", "{}", "revision: \"HEAD\": not found");
    git_end();
}

/* The entries as `git status --porcelain` has them. */
static char *porcelain(const struct json *entries)
{
    static char out[20000];
    struct {
        char path[200], code[3], old[200];
    } rows[100];
    size_t count = 0, len = 0;
    for (uint32_t i = 0; i < entries->count; i++) {
        const struct json *e = &entries->items[i];
        char area[40], change[40];
        snprintf(area, sizeof area, "%s", text_in(e, "area"));
        snprintf(change, sizeof change, "%s", text_in(e, "change"));
        size_t k = 0;
        char letter = (char)(change[0] - 'a' + 'A');
        if (strcmp(change, "type_changed") == 0)
            letter = 'T';
        while (k < count && strcmp(rows[k].path, text_in(e, "path")) != 0)
            k++;
        if (k == count) {
            count++;
            strcpy(rows[k].path, text_in(e, "path"));
            strcpy(rows[k].code, "  ");
            strcpy(rows[k].old, text_in(e, "old_path"));
        }
        if (strcmp(area, "staged") == 0)
            rows[k].code[0] = letter;
        else if (strcmp(area, "unstaged") == 0)
            rows[k].code[1] = letter;
        else if (strcmp(area, "conflicted") == 0)
            strcpy(rows[k].code, strcmp(change, "both_modified") == 0     ? "UU"
                                 : strcmp(change, "both_added") == 0      ? "AA"
                                 : strcmp(change, "deleted_by_us") == 0   ? "DU"
                                 : strcmp(change, "deleted_by_them") == 0 ? "UD"
                                                                          : "??");
        else
            strcpy(rows[k].code, strcmp(area, "ignored") == 0 ? "!!" : "??");
    }
    out[0] = '\0';
    for (size_t i = 0; i < count; i++)
        len +=
            (size_t)snprintf(out + len, sizeof out - len, "%s%s %s%s%s", i ? "\n" : "",
                             rows[i].code, rows[i].old, rows[i].old[0] ? " -> " : "", rows[i].path);
    return out;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *sorted(const char *text)
{
    static char rooms[4][400000];
    static unsigned next;
    char *copy = rooms[next++ % 4], *out = rooms[next++ % 4], *lines[5000], *rest = copy, *line;
    size_t count = 0, len = 0;
    strcpy(copy, text);
    while ((line = strsep(&rest, "\n")))
        lines[count++] = line;
    qsort(lines, count, sizeof *lines, by_path);
    for (size_t i = 0; i < count; i++)
        len += (size_t)sprintf(out + len, "%s%s", i ? "\n" : "", lines[i]);
    return out;
}

static void check_status(const char *input, const char *options)
{
    char got[20000];
    strcpy(got, porcelain(member(ask("git_status", "%s", input), "entries")));
    SAME(sorted(got), sorted(said("git status --porcelain %s", options)));
}

static void test_status_says_what_git_says(void **state)
{
    (void)state;
    git_begin();
    make_history();
    git_load("");
    assert_true(true_in(ask("git_status", "{}"), "clean"));
    SHELL("echo more >>a.txt; git add a.txt; echo still more >>a.txt; git mv src/y.c src/z.c;"
          "rm -f bin; echo q >q; mkdir -p new/deep; echo d >new/deep/d; echo e >new/e;"
          "printf '*.o\\nbuild/\\n' >.gitignore; echo o >x.o; mkdir build; echo b >build/b;"
          "chmod +x src/z.c; echo s >staged; git add staged; rm staged; echo i >intent; git add -N "
          "intent");
    check_status("{}", "");
    check_status("{\"ignored\":true}", "--ignored");
    check_status("{\"each_untracked\":true}", "-uall");
    check_status("{\"untracked\":false}", "-uno");
    check_status("{\"renames\":false}", "--no-renames");
    check_status("{\"path\":\"src\"}", "-- src");
    const struct json *s = ask("git_status", "{\"limit\":2}");
    assert_int_equal(member(s, "entries")->count, 2);
    assert_true(true_in(s, "truncated") && int_in(member(s, "counts"), "untracked") > 1);
    SHELL(
        "git reset -q --hard; git clean -qfdx; ln -s a.txt link; git add link; git commit -qm link;"
        "rm link; echo file >link");
    check_status("{}", "");
    git_end();
}

static void test_status_tells_of_conflicts_and_operations(void **state)
{
    (void)state;
    git_begin();
    make_history();
    git_load("");
    SHELL(
        "git checkout -qb other HEAD~2; echo other >a.txt; git rm -q src/y.c; echo both >both;"
        "git add .; git commit -qm other; git checkout -q main; echo mine >a.txt; echo z >>src/y.c;"
        "echo mine >both; git add .; git commit -qm mine; ! git merge -q other");
    check_status("{}", "");
    const struct json *s = ask("git_status", "{}");
    assert_string_equal(text_in(s, "operation"), "merge");
    assert_int_equal(int_in(member(s, "counts"), "conflicted"), 3);
    SHELL("git merge --abort; git checkout -q --detach HEAD~1");
    s = ask("git_status", "{}");
    assert_true(true_in(member(s, "head"), "detached"));
    assert_string_equal(text_in(s, "operation"), "none");
    SHELL("git checkout -q main; ! git rebase -q other");
    assert_true(strncmp(text_in(ask("git_status", "{}"), "operation"), "rebase", 6) == 0);
    git_end();
}

static void test_status_counts_beside_the_upstream(void **state)
{
    (void)state;
    git_begin();
    make_history();
    SHELL(
        "git clone -q . ../outside/clone; git remote add origin ../outside/clone; git fetch -q;"
        "git branch -q -u origin/main main; git -C ../outside/clone commit -q --allow-empty -m "
        "there;"
        "git fetch -q; git commit -q --allow-empty -m here; git commit -q --allow-empty -m here2");
    git_load("");
    const struct json *up = member(ask("git_status", "{}"), "upstream");
    assert_string_equal(text_in(up, "name"), "origin/main");
    assert_int_equal(int_in(up, "ahead"), 2);
    assert_int_equal(int_in(up, "behind"), 1);
    SHELL("git update-ref -d refs/remotes/origin/main");
    assert_true(true_in(member(ask("git_status", "{}"), "upstream"), "gone"));
    git_end();
}

/* ---- log and show --------------------------------------------------------------------------- */

static void test_log_lists_what_git_lists(void **state)
{
    (void)state;
    git_begin();
    make_history();
    git_load("");
    static const struct {
        const char *input, *options;
    } rows[] = {
        { "{}", "" },
        { "{\"range\":\"next\"}", "next" },
        { "{\"range\":\"main..next\"}", "main..next" },
        { "{\"range\":\"next..\"}", "next.." },
        { "{\"range\":\"main...next\"}", "main...next" },
        { "{\"range\":\"HEAD~1^2\"}", "HEAD~1^2" },
        { "{\"all\":true}", "--all" },
        { "{\"path\":\"a.txt\"}", "-- a.txt" },
        { "{\"path\":\"src\"}", "-- src" },
        { "{\"path\":\"bin\"}", "-- bin" },
        { "{\"path\":\"src/y.c\",\"follow\":true}", "--follow -- src/y.c" },
        { "{\"first_parent\":true}", "--first-parent" },
        { "{\"merges\":\"exclude\"}", "--no-merges" },
        { "{\"merges\":\"only\"}", "--merges" },
        { "{\"author\":\"ann@\"}", "--author=ann@" },
        { "{\"author\":\"bob@\"}", "--author=bob@" },
        { "{\"message\":\"TWO\"}", "-i --grep=two" },
        { "{\"limit\":2,\"skip\":1}", "-2 --skip=1" },
        { "{\"since\":\"2023-11-14T22:15:20Z\"}", "--since=2023-11-14T22:15:20Z" },
        { "{\"until\":\"2023-11-14T22:15:20Z\"}", "--until=2023-11-14T22:15:20Z" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct json *list = member(ask("git_log", "%s", rows[i].input), "commits");
        SAME(column(list, "id"), said("git log --format=%%H %s", rows[i].options));
        SAME(column(list, "subject"), said("git log --format=%%s %s", rows[i].options));
        SAME(column(list, "time"),
             said("TZ=UTC git log --date=format-local:%%Y-%%m-%%dT%%H:%%M:%%SZ "
                  "--format=%%cd %s",
                  rows[i].options));
    }
    const struct json *c =
        &member(ask("git_log", "{\"range\":\"main~2^\",\"body\":true,\"limit\":1}"), "commits")
             ->items[0];
    assert_string_equal(text_in(c, "body"), "because it was two");
    assert_string_equal(text_in(member(c, "author"), "name"), "Ann");
    assert_string_equal(text_in(member(c, "committer"), "email"), "bob@example.org");
    git_end();
}

/* The changed files as --numstat prints them. */
static char *numstat(const struct json *files)
{
    static char rooms[2][100000];
    static unsigned next;
    char *out = rooms[next++ % 2];
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < files->count; i++) {
        const struct json *f = &files->items[i];
        const char *old = text_in(f, "old_path");
        len += (size_t)sprintf(out + len, "%s", i ? "\n" : "");
        if (true_in(f, "binary"))
            len += (size_t)sprintf(out + len, "-\t-\t");
        else
            len += (size_t)sprintf(out + len, "%d\t%d\t", (int)int_in(f, "added"),
                                   (int)int_in(f, "deleted"));
        len += (size_t)sprintf(out + len, "%s%s%s", old, old[0] ? " => " : "", text_in(f, "path"));
    }
    return out;
}

/* git writes src/{x.c => y.c}; both names in full are what -z gives. */
#define NUMSTAT                                                                                    \
    "| tr '\\0' '\\n' | awk -F'\\t' '/^[0-9-]+\\t[0-9-]+\\t$/{n=$1\"\\t\"$2; getline a; getline "  \
    "b; "                                                                                          \
    "print n \"\\t\" a \" => \" b; next} {print}'"

static void test_files_and_lines_are_counted_as_git_counts(void **state)
{
    (void)state;
    git_begin();
    make_history();
    git_load("");
    const struct json *commits =
        member(ask("git_log", "{\"files\":true,\"first_parent\":true}"), "commits");
    assert_int_equal(commits->count, 5);
    for (uint32_t i = 0; i < commits->count; i++) {
        char id[64];
        strcpy(id, text_in(&commits->items[i], "id"));
        SAME(numstat(member(&commits->items[i], "files")),
             said("git show -z --format= --numstat -M -m --first-parent %s " NUMSTAT, id));
    }
    SHELL(
        "printf 'one\\nTWO\\n3\\nfour\\nfive\\n' >a.txt; echo n >n; git add n; mv src/y.c src/w.c");
    SAME(numstat(member(ask("git_diff", "{}"), "files")),
         said("git diff -z --numstat -M " NUMSTAT));
    SAME(numstat(member(ask("git_diff", "{\"from\":\"HEAD\"}"), "files")),
         said("git diff -z HEAD --numstat -M " NUMSTAT));
    SAME(numstat(member(ask("git_diff", "{\"from\":\"HEAD\",\"to\":\"index\"}"), "files")),
         said("git diff -z --cached --numstat " NUMSTAT));
    SAME(numstat(member(ask("git_diff", "{\"from\":\"index\",\"to\":\"HEAD\"}"), "files")),
         said("git diff -z --cached -R --numstat " NUMSTAT));
    SAME(numstat(member(ask("git_diff", "{\"from\":\"next\",\"to\":\"main\"}"), "files")),
         said("git diff -z next main --numstat -M " NUMSTAT));
    SAME(numstat(member(ask("git_diff", "{\"from\":\"main\",\"to\":\"next\",\"merge_base\":true}"),
                        "files")),
         said("git diff -z main...next --numstat -M " NUMSTAT));
    const struct json *d = ask("git_diff", "{\"from\":\"next\",\"to\":\"main\",\"limit\":1}");
    assert_true(member(d, "files")->count == 1 && true_in(d, "truncated"));
    assert_int_equal(int_in(member(d, "totals"), "files"), 3);
    assert_int_equal(
        member(ask("git_diff", "{\"from\":\"HEAD~2\",\"to\":\"HEAD\",\"paths\":[\"a.txt\"]}"),
               "files")
            ->count,
        1);
    git_end();
}

static void test_differences_are_ones_that_git_applies(void **state)
{
    (void)state;
    git_begin();
    make_history();
    git_load("");
    const struct json *files =
        member(ask("git_diff", "{\"from\":\"main~2\",\"to\":\"main~1\",\"context\":1}"), "files");
    struct buf all;
    mgi_buf_init(&all);
    for (uint32_t i = 0; i < files->count; i++)
        if (mgi_json_get(&files->items[i], "diff"))
            mgi_buf_str(&all, member(&files->items[i], "diff")->string);
    put_file(at("outside/patch"), all.ptr, all.len);
    mgi_buf_fini(&all);
    SHELL("git checkout -q main~2; git apply --index ../outside/patch; git diff --quiet main~1;"
          "git reset -q --hard; git checkout -q main");
    /* Cut between hunks, and said. */
    SHELL("seq 1 5000 >long; git add long; git commit -qm long;"
          "sed -i 's/^\\([0-9]*\\)50$/\\1fifty/' long; git commit -qam 'some lines'");
    const struct json *f = &member(ask("git_show", "{\"max_bytes\":600}"), "files")->items[0];
    assert_true(true_in(f, "cut"));
    assert_true(member(f, "diff")->string.len > 100 && member(f, "diff")->string.len <= 600);
    f = &member(ask("git_show", "{\"max_bytes\":10}"), "files")->items[0];
    assert_true(true_in(f, "cut") && !mgi_json_get(f, "diff"));
    f = &member(ask("git_show", "{\"stat_only\":true}"), "files")->items[0];
    assert_true(!true_in(f, "cut") && !mgi_json_get(f, "diff"));
    git_end();
}

static void test_show_tells_of_one_commit(void **state)
{
    (void)state;
    git_begin();
    make_history();
    git_load("");
    const struct json *s = ask("git_show", "{\"revision\":\"v1\"}");
    SAME(text_in(member(s, "commit"), "id"), said("git rev-parse main"));
    assert_int_equal(member(s, "refs")->count, 3); /* main, plain, v1 */
    assert_string_equal(text_in(&member(s, "files")->items[0], "status"), "deleted");
    s = ask("git_show", "{\"revision\":\"main~1\",\"parent\":2}");
    assert_int_equal(member(s, "files")->count, 0);
    s = ask("git_show", "{\"revision\":\"main~4\"}"); /* a beginning */
    assert_int_equal(member(s, "files")->count, 2);
    CHECK_FAIL("git_show", "{\"revision\":\"main\",\"parent\":2}", "parent: 2: the commit has 1");
    CHECK_FAIL("git_show", "{\"revision\":\"nothing\"}", "revision: \"nothing\": not found");
    CHECK_FAIL("git_show", "{\"revision\":\"HEAD:a.txt\"}", "is a blob, no commit");
    CHECK_FAIL("git_show", "{\"revision\":\"main..next\"}", "is a range, not one commit");
    CHECK_FAIL("git_show", "{\"revision\":\":/first\"}", "not searched by their message");
    CHECK_FAIL("git_show", "{\"revision\":\"--all\"}", "not found");
    CHECK_FAIL("git_log", "{\"all\":true,\"range\":\"main\"}",
               "all: cannot be combined with range");
    CHECK_FAIL("git_log", "{\"follow\":true}", "follow: needs the path of a file");
    CHECK_FAIL("git_log", "{\"since\":\"yesterday\"}", "since: not of the form");
    CHECK_FAIL("git_log", "{\"path\":\"../x\"}", "has \"..\" in it");
    CHECK_FAIL("git_log", "{\"path\":\".git/config\"}", "leads into .git");
    git_end();
}

static void test_what_is_ambiguous_is_told(void **state)
{
    (void)state;
    git_begin();
    make_history();
    SHELL("git tag next main");
    git_load("");
    CHECK_FAIL("git_show", "{\"revision\":\"next\"}",
               "\"next\" is ambiguous: write refs/heads/next or refs/tags/next");
    CHECK_OK("git_show", "{\"revision\":\"refs/heads/next\"}", "on next");
    /* A full name is one, whatever others are called. */
    SHELL("git branch refs/heads/next main; git tag refs/heads/next main~1");
    CHECK_OK("git_show", "{\"revision\":\"refs/heads/next\"}", "on next");
    /* Two objects whose ids begin alike: of a few thousand there are some. */
    SHELL("for i in $(seq 1 600); do echo $i | git hash-object -w --stdin; done");
    char *prefix =
        said("git cat-file --batch-all-objects --batch-check='%%(objectname)' | cut -c1-4 "
             "| uniq -d | head -n 1");
    if (prefix[0]) {
        char input[100];
        snprintf(input, sizeof input, "{\"revision\":\"%.4s\"}", prefix);
        CHECK_FAIL("git_show", input, "is ambiguous; objects that begin so: ");
        CHECK_FAIL("git_show", input, "(blob)");
    }
    git_end();
}

/* ---- contents ------------------------------------------------------------------------------- */

static void test_contents_are_read_at_a_revision(void **state)
{
    (void)state;
    git_begin();
    make_history();
    SHELL("ln -s a.txt link; git add link; git commit -qm link; echo staged >a.txt; git add a.txt;"
          "echo later >a.txt");
    git_load("");
    CHECK_OK("git_read", "{\"path\":\"a.txt\",\"revision\":\"main~5\"}",
             "\"text\":\"one\\ntwo\\nthree\\nfour\\nfive\\n\"");
    CHECK_OK("git_read", "{\"path\":\"a.txt\",\"first_line\":2,\"last_line\":3}",
             "\"text\":\"TWO\\nthree\\n\",\"last_line\":3");
    CHECK_OK("git_read", "{\"path\":\"a.txt\",\"revision\":\"index\"}", "\"text\":\"staged\\n\"");
    CHECK_OK("git_read", "{\"path\":\"bin\",\"revision\":\"main~2\"}", "\"base64\":\"AAEC\"");
    CHECK_OK("git_read", "{\"path\":\"link\"}", "\"type\":\"symlink\"");
    CHECK_OK("git_read", "{\"path\":\"src\"}",
             "\"entries\":[{\"name\":\"y.c\",\"type\":\"file\"}]");
    CHECK_OK("git_read", "{\"path\":\".\"}", "{\"name\":\"src\",\"type\":\"folder\"}");
    CHECK_FAIL("git_read", "{\"path\":\"bin\"}", "bin: is not in HEAD");
    CHECK_FAIL("git_read", "{\"path\":\"zzz\",\"revision\":\"index\"}", "zzz: is not in the index");
    CHECK_FAIL("git_read", "{\"path\":\"bin\",\"revision\":\"main~2\",\"encoding\":\"text\"}",
               "is no UTF-8 text");
    git_load(",\"max_bytes\":10");
    CHECK_FAIL("git_read", "{\"path\":\"a.txt\"}", "more than the 10 that are read at once");
    CHECK_OK("git_diff", "{\"from\":\"main~5\",\"to\":\"main~4\"}", "\"too_large\":true");
    git_end();
}

static char *file_table(const struct json *files)
{
    static char out[400000];
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < files->count; i++)
        len += (size_t)sprintf(out + len, "%s%s %s %s", i ? "\n" : "",
                               text_in(&files->items[i], "mode"), text_in(&files->items[i], "id"),
                               text_in(&files->items[i], "path"));
    return out;
}

static void test_files_are_those_that_git_tracks(void **state)
{
    (void)state;
    git_begin();
    make_history();
    SHELL("mkdir -p 'a b' a.d; echo 1 >'a b/c'; echo 2 >a.d/x; echo 3 >a.c; ln -s a.c l; git add .;"
          "git commit -qm more; echo n >new; git add new");
    git_load("");
    SAME(file_table(member(ask("git_files", "{}"), "files")),
         said("git ls-files -s | sed 's/ 0\\t/ /'"));
    SAME(file_table(member(ask("git_files", "{\"revision\":\"main~3\"}"), "files")),
         said("git ls-tree -r main~3 | awk '{print $1\" \"$3\" \"$4}'"));
    SAME(column(member(ask("git_files", "{\"revision\":\"main\",\"path\":\"src\"}"), "files"),
                "path"),
         "src/y.c");
    SAME(column(member(ask("git_files", "{\"glob\":\"*.c\"}"), "files"), "path"), "a.c\nsrc/y.c");
    const struct json *f = ask("git_files", "{\"limit\":2,\"after\":\"a.c\"}");
    SAME(column(member(f, "files"), "path"), "a.d/x\na.txt");
    assert_true(true_in(f, "truncated"));
    assert_int_equal(int_in(f, "total"), 7);
    f = member(ask("git_files", "{\"last_commit\":true}"), "files");
    for (uint32_t i = 0; i < f->count; i++) {
        char last[64];
        strcpy(last, text_in(&f->items[i], "last_commit"));
        SAME(last, said("git log -1 --format=%%H -- '%s'", text_in(&f->items[i], "path")));
    }
    assert_int_equal(f->count, 7);
    git_end();
}

static char *match_table(const struct json *matches)
{
    static char out[100000];
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < matches->count; i++)
        len += (size_t)sprintf(
            out + len, "%s%s:%d:%s", i ? "\n" : "", text_in(&matches->items[i], "path"),
            (int)int_in(&matches->items[i], "line"), text_in(&matches->items[i], "text"));
    return out;
}

static void test_grep_finds_what_git_finds(void **state)
{
    (void)state;
    git_begin();
    make_history();
    SHELL("echo 'untracked two' >u; echo 'a TWO b' >>a.txt; ln -s a.txt link; git add link");
    git_load("");
    SAME(match_table(member(ask("git_grep", "{\"pattern\":\"TWO\"}"), "matches")),
         said("git grep -nI TWO"));
    SAME(match_table(
             member(ask("git_grep", "{\"pattern\":\"^[a-z]+e$\",\"regex\":true}"), "matches")),
         said("git grep -nIE '^[a-z]+e$'"));
    SAME(match_table(member(ask("git_grep", "{\"pattern\":\"two\",\"ignore_case\":true,"
                                            "\"revision\":\"main~4\"}"),
                            "matches")),
         said("git grep -nIi two main~4 | sed 's/^main~4://'"));
    const struct json *g =
        ask("git_grep", "{\"pattern\":\"e\",\"revision\":\"main~3\",\"limit\":1}");
    assert_true(true_in(g, "truncated"));
    g = ask("git_grep", "{\"pattern\":\"nowhere\",\"revision\":\"main~3\"}");
    assert_int_equal(int_in(g, "binary_skipped"), 1);
    assert_int_equal(int_in(g, "files_searched"), 2);
    CHECK_OK("git_grep", "{\"pattern\":\"int\",\"path\":\"src\",\"context\":1}",
             "\"files_matched\":1");
    CHECK_FAIL("git_grep", "{\"pattern\":\"(\",\"regex\":true}", "pattern: at byte 1");
    SHELL("rm src/y.c");
    assert_int_equal(int_in(ask("git_grep", "{\"pattern\":\"int\"}"), "unreadable"), 1);
    git_end();
}

/* ---- branches and the like ------------------------------------------------------------------ */

static void test_branches_are_compared_with_the_default(void **state)
{
    (void)state;
    git_begin();
    make_history();
    git_load("");
    const struct json *b = ask("git_branches", "{}");
    assert_string_equal(text_in(member(b, "base"), "name"), "main");
    const struct json *list = member(b, "branches");
    SAME(column(list, "name"), "main\nnext\nside"); /* the newest tip first */
    assert_true(true_in(&list->items[0], "current") && true_in(&list->items[0], "default"));
    const struct json *next = &list->items[1], *side = &list->items[2];
    assert_int_equal(int_in(next, "ahead"), 1);
    assert_int_equal(int_in(next, "behind"), 3);
    assert_true(!true_in(next, "merged") && true_in(side, "merged"));
    SAME(text_in(member(next, "first"), "id"), said("git rev-parse next"));
    SAME(text_in(member(side, "merged_by"), "id"), said("git rev-parse main~1"));
    SAME(text_in(member(side, "first"), "id"), said("git rev-parse side"));
    assert_null(mgi_json_get(next, "merged_by"));
    b = ask("git_branches", "{\"pattern\":\"s*\",\"details\":false}");
    SAME(column(member(b, "branches"), "name"), "side");
    b = ask("git_branches", "{\"limit\":1}");
    assert_true(int_in(b, "total") == 3 && true_in(b, "truncated"));
    b = ask("git_branches", "{\"base\":\"next\"}");
    assert_string_equal(text_in(member(b, "base"), "name"), "next");
    SHELL("git worktree add -q ../outside/wt side; git update-ref refs/remotes/origin/far main~3;"
          "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/far");
    b = ask("git_branches", "{\"kind\":\"all\"}");
    assert_string_equal(text_in(member(b, "base"), "name"), "origin/far");
    list = member(b, "branches");
    assert_int_equal(list->count, 4);
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(text_in(&list->items[i], "name"), "side") == 0)
            assert_non_null(strstr(text_in(&list->items[i], "checked_out"), "/outside/wt"));
    git_end();
}

static void test_tags_worktrees_reflog_and_stashes_are_listed(void **state)
{
    (void)state;
    git_begin();
    make_history();
    SHELL("git tag old main~3; git tag blob HEAD:a.txt; echo x >>a.txt; git stash -q;"
          "echo y >>a.txt; git stash -q -m mine; git worktree add -q ../outside/wt next;"
          "git worktree lock --reason why ../outside/wt");
    git_load("");
    const struct json *t = member(ask("git_tags", "{}"), "tags");
    assert_int_equal(t->count, 4);
    for (uint32_t i = 0; i < t->count; i++) {
        char name[100];
        strcpy(name, text_in(&t->items[i], "name"));
        SAME(text_in(&t->items[i], "id"), said("git rev-parse '%s^{}'", name));
        assert_int_equal(true_in(&t->items[i], "annotated"), strcmp(name, "v1") == 0);
    }
    assert_string_equal(text_in(&t->items[3], "name"), "blob"); /* without a time: last */
    t = member(ask("git_tags", "{\"contains\":\"main~1\"}"), "tags");
    SAME(sorted(column(t, "name")), sorted(said("git tag --contains main~1")));
    const struct json *r = ask("git_reflog", "{\"limit\":3}");
    assert_string_equal(text_in(r, "reference"), "HEAD");
    SAME(column(member(r, "entries"), "message"), said("git reflog -3 --format=%%gs"));
    SAME(column(member(r, "entries"), "new"), said("git reflog -3 --format=%%H"));
    assert_string_equal(text_in(ask("git_reflog", "{\"reference\":\"next\"}"), "reference"),
                        "refs/heads/next");
    CHECK_FAIL("git_reflog", "{\"reference\":\"../x\"}", "cannot be the name of one");
    const struct json *s = member(ask("git_stashes", "{}"), "stashes");
    SAME(column(s, "message"), said("git stash list --format=%%gs"));
    SAME(column(s, "id"), said("git stash list --format=%%H"));
    SAME(text_in(&s->items[0], "base"), said("git rev-parse main"));
    const struct json *w = member(ask("git_worktrees", "{}"), "worktrees");
    assert_int_equal(w->count, 2);
    assert_true(true_in(&w->items[0], "current") && !true_in(&w->items[1], "current"));
    assert_string_equal(text_in(&w->items[1], "branch"), "next");
    assert_true(true_in(&w->items[1], "locked"));
    assert_string_equal(text_in(&w->items[1], "lock_reason"), "why");
    git_end();
}

static void test_a_linked_worktree_and_a_bare_repository_are_read(void **state)
{
    (void)state;
    char settings[300];
    git_begin();
    make_history();
    SHELL("git worktree add -q ../outside/wt next; mkdir -p ../outside/wt/deep/er;"
          "git clone -q --bare . ../outside/bare.git");
    snprintf(settings, sizeof settings, "{\"repository\":\"%s/outside/wt/deep/er\"}", scratch);
    plugin_load(settings);
    const struct json *s = ask("git_status", "{}");
    assert_string_equal(text_in(member(s, "head"), "branch"), "next");
    assert_non_null(strstr(text_in(s, "worktree"), "/outside/wt"));
    const struct json *w = member(ask("git_worktrees", "{}"), "worktrees");
    assert_true(!true_in(&w->items[0], "current") && true_in(&w->items[1], "current"));
    assert_string_equal(text_in(&w->items[0], "branch"), "main");
    snprintf(settings, sizeof settings, "{\"repository\":\"%s/outside/bare.git\"}", scratch);
    plugin_load(settings);
    s = ask("git_status", "{}");
    assert_true(true_in(s, "bare") && true_in(s, "clean") && !mgi_json_get(s, "worktree"));
    SAME(column(member(ask("git_log", "{}"), "commits"), "id"), said("git log --format=%%H"));
    CHECK_OK("git_grep", "{\"pattern\":\"TWO\",\"revision\":\"HEAD\"}", "a.txt");
    CHECK_FAIL("git_grep", "{\"pattern\":\"TWO\"}", "is bare: it has no worktree");
    CHECK_FAIL("git_diff", "{}", "is bare: it has no worktree");
    git_end();
}

static void test_persons_are_counted(void **state)
{
    (void)state;
    git_begin();
    make_history();
    SHELL(
        "GIT_AUTHOR_NAME=Cid GIT_AUTHOR_EMAIL=CID@example.org git commit -q --allow-empty -m c;"
        "GIT_AUTHOR_NAME='Cid C' GIT_AUTHOR_EMAIL=old@example.org git commit -q --allow-empty -m d;"
        "echo 'Cid Carlson <cid@example.org> <old@example.org>' >.mailmap; git add .;"
        "git commit -qm map");
    git_load("");
    const struct json *c = ask("git_contributors", "{\"changes\":true}");
    const struct json *list = member(c, "contributors");
    SAME(column(list, "email"), "ann@example.org\ncid@example.org");
    assert_int_equal(int_in(&list->items[0], "commits"), 6);
    assert_int_equal(int_in(&list->items[1], "commits"), 2);
    assert_int_equal(int_in(c, "commits"), 8);
    SAME(said("git log --no-merges --author=Ann --numstat --format= -M | awk '{a+=$1} END {print "
              "a}'"),
         said("echo %d", (int)int_in(&list->items[0], "added")));
    assert_int_equal(member(ask("git_contributors", "{\"mailmap\":false}"), "contributors")->count,
                     3);
    c = ask("git_contributors", "{\"path\":\"a.txt\",\"lines\":true}");
    assert_int_equal(int_in(c, "lines"), 6);
    assert_int_equal(int_in(&member(c, "contributors")->items[0], "lines"), 6);
    CHECK_FAIL("git_contributors", "{\"lines\":true}", "lines: needs the path of a file");
    CHECK_FAIL("git_contributors", "{\"path\":\"src\",\"lines\":true}",
               "is no file in that commit");
    git_end();
}

static void test_renames_are_edges(void **state)
{
    (void)state;
    git_begin();
    make_history();
    SHELL("seq 1 50 >src/y.c; git add .; git commit -qm fifty; git mv src/y.c z.c;"
          "echo one more >>z.c; git add .; git commit -qm again");
    git_load("");
    const struct json *r = member(ask("git_renames", "{}"), "renames");
    SAME(column(r, "from"), "src/y.c\nsrc/x.c");
    SAME(column(r, "to"), "z.c\nsrc/y.c");
    assert_int_equal(int_in(&r->items[1], "similarity"), 100);
    assert_true(int_in(&r->items[0], "similarity") > 90);
    SAME(column(r, "commit"), said("git log --diff-filter=R -M --format=%%H"));
    SAME(column(member(ask("git_renames", "{\"similarity\":100}"), "renames"), "from"), "src/x.c");
    SAME(column(member(ask("git_renames", "{\"path\":\"z.c\"}"), "renames"), "from"), "src/y.c");
    SAME(column(member(ask("git_log", "{\"path\":\"z.c\",\"follow\":true}"), "commits"), "path"),
         "z.c\nsrc/y.c\nsrc/y.c\nsrc/x.c");
    git_end();
}

/* ---- names and bounds ----------------------------------------------------------------------- */

static void test_bytes_that_are_no_utf8_are_shown_and_told(void **state)
{
    (void)state;
    git_begin();
    SHELL("printf x >\"$(printf 'caf\\351')\"; printf 'caf\\351\\n' >t; git add .;"
          "git -c i18n.commitEncoding=ISO-8859-1 commit -qm \"$(printf 'caf\\351')\";"
          "printf y >>\"$(printf 'caf\\351')\"");
    git_load("");
    CHECK_OK("git_status", "{}", "\"path\":\"caf\xef\xbf\xbd\",\"path_base64\":\"Y2Fm6Q==\"");
    CHECK_OK("git_files", "{}", "\"path_base64\":\"Y2Fm6Q==\"");
    CHECK_OK("git_log", "{\"files\":true}", "\"subject\":\"caf\xc3\xa9\"");
    CHECK_OK("git_log", "{\"files\":true}", "\"path_base64\":\"Y2Fm6Q==\"");
    CHECK_OK("git_show", "{}", "+caf\xef\xbf\xbd");
    CHECK_OK("git_read", "{\"path\":\"t\"}", "\"base64\":\"Y2Fm6Qo=\"");
    CHECK_OK("git_blame", "{\"path\":\"t\"}", "\"text\":\"caf\xef\xbf\xbd\\n\"");
    git_end();
}

static void test_times_and_offsets_are_told(void **state)
{
    (void)state;
    git_begin();
    SHELL("GIT_AUTHOR_DATE='1700000000 +0530' git commit -q --allow-empty -m x");
    git_load("");
    CHECK_OK("git_log", "{}",
             "\"time\":\"2023-11-14T22:13:20Z\",\"offset_minutes\":330},\"committer\"");
    git_end();
}

static void test_answers_stay_below_their_limit(void **state)
{
    (void)state;
    git_begin();
    SHELL("for i in $(seq 1 40); do mkdir d$i; for k in $(seq 1 60); do "
          "echo $i $k >d$i/a-name-that-is-rather-long-so-that-it-takes-some-room-in-the-answer-$k; "
          "done; done; git add .; git commit -qm many; seq -f '%%g a line of text' 1 60000 >big;"
          "git add .; git commit -qm big; rm -r d1 d2");
    git_load("");
    const struct json *f = ask("git_files", "{\"limit\":20000,\"last_commit\":true}");
    assert_true(int_in(f, "total") == 2401);
    f = ask("git_show", "{\"revision\":\"HEAD~1\",\"limit\":5000,\"max_bytes\":700000}");
    assert_true(true_in(f, "truncated"));
    assert_int_equal(int_in(member(f, "totals"), "added"), 2400);
    f = ask("git_blame", "{\"path\":\"big\"}");
    assert_true(true_in(f, "truncated") || member(f, "hunks")->count == 1);
    f = ask("git_status", "{\"limit\":5}");
    assert_int_equal(int_in(member(f, "counts"), "unstaged"), 120);
    git_end();
}

static void test_calls_stop(void **state)
{
    (void)state;
    git_begin();
    make_history();
    git_load("");
    static const char *const rows[][2] = {
        { "git_status", "{}" },
        { "git_log", "{\"files\":true}" },
        { "git_show", "{}" },
        { "git_diff", "{\"from\":\"main~4\",\"to\":\"main\"}" },
        { "git_blame", "{\"path\":\"a.txt\"}" },
        { "git_grep", "{\"pattern\":\"e\"}" },
        { "git_branches", "{}" },
        { "git_tags", "{}" },
        { "git_files", "{\"last_commit\":true}" },
        { "git_renames", "{}" },
        { "git_contributors", "{\"changes\":true}" },
        { "git_merge_base", "{\"revisions\":[\"main\",\"next\"]}" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        th_call call = { .looks_left = 1 };
        assert_int_equal(plugin_run(&call, rows[i][0], rows[i][1]), TH_TOOL_ERROR);
        if (strcmp(call.error.ptr, "cancelled") != 0)
            fail_msg("%s: %s", rows[i][0], call.error.ptr);
        call_fini(&call);
    }
    git_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptors_are_sound),
        cmocka_unit_test(test_settings_are_checked),
        cmocka_unit_test(test_status_of_an_empty_repository),
        cmocka_unit_test(test_status_says_what_git_says),
        cmocka_unit_test(test_status_tells_of_conflicts_and_operations),
        cmocka_unit_test(test_status_counts_beside_the_upstream),
        cmocka_unit_test(test_log_lists_what_git_lists),
        cmocka_unit_test(test_files_and_lines_are_counted_as_git_counts),
        cmocka_unit_test(test_differences_are_ones_that_git_applies),
        cmocka_unit_test(test_show_tells_of_one_commit),
        cmocka_unit_test(test_what_is_ambiguous_is_told),
        cmocka_unit_test(test_contents_are_read_at_a_revision),
        cmocka_unit_test(test_files_are_those_that_git_tracks),
        cmocka_unit_test(test_grep_finds_what_git_finds),
        cmocka_unit_test(test_branches_are_compared_with_the_default),
        cmocka_unit_test(test_tags_worktrees_reflog_and_stashes_are_listed),
        cmocka_unit_test(test_a_linked_worktree_and_a_bare_repository_are_read),
        cmocka_unit_test(test_persons_are_counted),
        cmocka_unit_test(test_renames_are_edges),
        cmocka_unit_test(test_bytes_that_are_no_utf8_are_shown_and_told),
        cmocka_unit_test(test_times_and_offsets_are_told),
        cmocka_unit_test(test_answers_stay_below_their_limit),
        cmocka_unit_test(test_calls_stop),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
