/* git: histories of many shapes, with the program git as the judge: ranges, paths, common
 * ancestors, branches, and which commit brought each line. */
#include "plugins/git_fixture.h"

/* ---- random histories ----------------------------------------------------------------------- */

static uint64_t seed;

static unsigned roll(unsigned sides)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % sides;
}

#define COMMITS 60
#define LINES   40
#define FILES   4

struct version {
    int lines[LINES], count; /* of each file: what stands in its lines */
};

struct made {
    struct version files[FILES];
    int parents[3], parent_count;
};

static struct made commits[COMMITS];

/* A few lines of a file come, change or go. */
static void edit(struct version *v)
{
    static int next;
    for (unsigned k = 1 + roll(3); k > 0; k--) {
        int at = v->count ? (int)roll((unsigned)v->count + 1) : 0;
        unsigned what = roll(4);
        if (what == 0 && v->count > 3 && at < v->count) {
            memmove(&v->lines[at], &v->lines[at + 1],
                    (size_t)(v->count - at - 1) * sizeof *v->lines);
            v->count--;
        } else if (what == 1 && at < v->count) {
            v->lines[at] = ++next;
        } else if (v->count < LINES) {
            memmove(&v->lines[at + 1], &v->lines[at], (size_t)(v->count - at) * sizeof *v->lines);
            v->lines[at] = roll(5) == 0 ? 0 : ++next; /* some lines are alike */
            v->count++;
        }
    }
}

static void put_file_data(FILE *out, int file, const struct version *v)
{
    char text[LINES * 16];
    size_t len = 0;
    for (int i = 0; i < v->count; i++)
        len += (size_t)sprintf(text + len, "line %d\n", v->lines[i]);
    fprintf(out, "M 100644 inline d%d/f%d\ndata %zu\n%s\n", file % 2, file, len, text);
}

/* Parents are earlier commits; `skewed` clocks now and then run backwards. */
static void make_random(unsigned number, bool skewed)
{
    seed = number * 977 + 13;
    memset(commits, 0, sizeof commits);
    FILE *out = fopen(at("outside/stream"), "w");
    assert_non_null(out);
    for (int i = 0; i < COMMITS; i++) {
        struct made *c = &commits[i];
        unsigned shape = roll(10);
        int nearest = i > 8 ? i - 8 : 0;
        if (i > 0) {
            c->parents[c->parent_count++] =
                shape < 5 ? i - 1 : nearest + (int)roll((unsigned)(i - nearest));
            if (i > 2 && shape >= 8) {
                int other = nearest + (int)roll((unsigned)(i - nearest));
                if (other != c->parents[0])
                    c->parents[c->parent_count++] = other;
            }
            memcpy(c->files, commits[c->parents[0]].files, sizeof c->files);
            if (c->parent_count == 2)
                c->files[roll(FILES)] = commits[c->parents[1]].files[roll(2)];
        }
        if (i == 0)
            for (int f = 0; f < FILES; f++)
                for (int k = 0; k < 6; k++)
                    edit(&c->files[f]);
        if (c->parent_count != 2 || roll(2))
            edit(&c->files[roll(FILES)]);
        long when = GIT_START + i * 60 - (skewed && roll(6) == 0 ? (long)roll(900) : 0);
        fprintf(out,
                "commit refs/heads/b%d\nmark :%d\nauthor A%u <a%u@x> %ld +0000\n"
                "committer C <c@x> %ld +0000\ndata <<E\ncommit %d\nE\n",
                (int)roll(6), i + 1, roll(3), roll(3), when, when, i);
        for (int p = 0; p < c->parent_count; p++)
            fprintf(out, "%s :%d\n", p ? "merge" : "from", c->parents[p] + 1);
        fprintf(out, "deleteall\n");
        for (int f = 0; f < FILES; f++)
            put_file_data(out, f, &c->files[f]);
    }
    fprintf(out, "reset refs/heads/main\nfrom :%d\n", COMMITS);
    fclose(out);
    SHELL("git fast-import --quiet --force <../outside/stream; git read-tree main");
}

/* A branch of the random ones that is there. */
static const char *some_branch(void)
{
    static char rooms[4][20];
    static unsigned next;
    char *out = rooms[next++ % 4];
    for (;;) {
        snprintf(out, sizeof rooms[0], "b%u", roll(6));
        if (is_there(at("root/.git/refs/heads/%s", out)))
            return out;
    }
}

static void each_random(void (*check)(void), bool skewed, unsigned count)
{
    git_begin();
    git_load("");
    for (unsigned i = 0; i < count; i++) {
        SHELL("rm -rf .git/refs/heads/* .git/packed-refs");
        make_random(i + (skewed ? 100 : 0), skewed);
        check();
    }
    git_end();
}

/* ---- ranges --------------------------------------------------------------------------------- */

static void check_ranges(void)
{
    for (int i = 0; i < 4; i++) {
        const char *a = some_branch(), *b = some_branch();
        SAME(
            column(member(ask("git_log", "{\"range\":\"%s\",\"limit\":1000}", a), "commits"), "id"),
            said("git rev-list %s", a));
        SAME(
            column(member(ask("git_log", "{\"range\":\"%s..%s\",\"limit\":1000}", a, b), "commits"),
                   "id"),
            said("git rev-list %s..%s", a, b));
        SAME(column(
                 member(ask("git_log", "{\"range\":\"%s...%s\",\"limit\":1000}", a, b), "commits"),
                 "id"),
             said("git rev-list %s...%s", a, b));
        SAME(column(member(ask("git_log", "{\"range\":\"%s\",\"first_parent\":true,\"limit\":1000}",
                               a),
                           "commits"),
                    "id"),
             said("git rev-list --first-parent %s", a));
    }
    SAME(column(member(ask("git_log", "{\"all\":true,\"limit\":1000}"), "commits"), "id"),
         said("git rev-list --all"));
}

static void test_ranges_are_those_of_git(void **state)
{
    (void)state;
    each_random(check_ranges, false, 4);
}

/* Where clocks were wrong the order may differ, what is in a range may not. (git itself gives up
 * sooner, so the two histories are taken apart here.) */
static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *in_order(char *text)
{
    static char rooms[2][20000];
    static unsigned next;
    char *lines[COMMITS + 1], *line, *out = rooms[next++ % 2];
    size_t count = 0, len = 0;
    while ((line = strsep(&text, "\n")))
        lines[count++] = line;
    qsort(lines, count, sizeof *lines, by_line);
    out[0] = '\0';
    for (size_t i = 0; i < count; i++)
        len += (size_t)sprintf(out + len, "%s\n", lines[i]);
    return out;
}

static void check_sets(void)
{
    for (int i = 0; i < 4; i++) {
        const char *a = some_branch(), *b = some_branch();
        SAME(in_order(column(
                 member(ask("git_log", "{\"range\":\"%s..%s\",\"limit\":1000}", a, b), "commits"),
                 "id")),
             in_order(said("git rev-list %s >../outside/b; git rev-list %s >../outside/a; "
                           "grep -vxFf ../outside/a ../outside/b || true",
                           b, a)));
    }
}

static void test_ranges_hold_where_clocks_were_wrong(void **state)
{
    (void)state;
    each_random(check_sets, true, 4);
}

/* ---- paths ---------------------------------------------------------------------------------- */

static void check_paths(void)
{
    for (int f = 0; f < FILES; f++) {
        const char *branch = some_branch();
        SAME(column(member(ask("git_log", "{\"range\":\"%s\",\"path\":\"d%d/f%d\",\"limit\":1000}",
                               branch, f % 2, f),
                           "commits"),
                    "id"),
             said("git rev-list %s -- d%d/f%d", branch, f % 2, f));
    }
    const char *a = some_branch(), *b = some_branch();
    SAME(
        column(member(ask("git_log", "{\"range\":\"%s..%s\",\"path\":\"d0\",\"limit\":1000}", a, b),
                      "commits"),
               "id"),
        said("git rev-list %s..%s -- d0", a, b));
    const struct json *files =
        member(ask("git_files", "{\"revision\":\"%s\",\"last_commit\":true}", a), "files");
    assert_int_equal(files->count, FILES);
    for (uint32_t i = 0; i < files->count; i++)
        SAME(text_in(&files->items[i], "last_commit"),
             said("git rev-list -1 %s -- %s", a, text_in(&files->items[i], "path")));
}

static void test_the_history_of_a_path_is_that_of_git(void **state)
{
    (void)state;
    each_random(check_paths, false, 4);
}

/* ---- common ancestors and branches ---------------------------------------------------------- */

static void check_bases(void)
{
    for (int i = 0; i < 6; i++) {
        const char *a = some_branch(), *b = some_branch(), *c = some_branch();
        const struct json *m = ask("git_merge_base", "{\"revisions\":[\"%s\",\"%s\"]}", a, b);
        SAME(in_order(column(member(m, "bases"), "id")),
             in_order(said("git merge-base --all %s %s", a, b)));
        char counts[40];
        snprintf(counts, sizeof counts, "%d\t%d", (int)int_in(m, "ahead"),
                 (int)int_in(m, "behind"));
        SAME(counts, said("git rev-list --left-right --count %s...%s", a, b));
        m = ask("git_merge_base", "{\"revisions\":[\"%s\",\"%s\",\"%s\"]}", a, b, c);
        SAME(in_order(column(member(m, "bases"), "id")),
             in_order(said("git merge-base --all %s %s %s", a, b, c)));
    }
}

static void test_common_ancestors_are_those_of_git(void **state)
{
    (void)state;
    each_random(check_bases, false, 2);
    each_random(check_bases, true, 2);
}

static void check_branches(void)
{
    const struct json *list = member(ask("git_branches", "{}"), "branches");
    char merged[2000] = "";
    size_t len = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct json *b = &list->items[i];
        const char *name = text_in(b, "name");
        char counts[40];
        snprintf(counts, sizeof counts, "%d\t%d", (int)int_in(b, "ahead"),
                 (int)int_in(b, "behind"));
        SAME(counts, said("git rev-list --left-right --count %s...main", name));
        if (int_in(b, "ahead") > 0) {
            SAME(text_in(member(b, "first"), "id"),
                 said("git log --format='%%ct %%H' main..%s | sort -n | head -n 1 | cut -d' ' -f2",
                      name));
        } else {
            len += (size_t)sprintf(merged + len, "%s%s", len ? "\n" : "", name);
            /* the oldest commit of the first-parent line that has the tip */
            SAME(text_in(member(b, "merged_by"), "id"),
                 said("{ for c in $(git rev-list --first-parent main); do git merge-base "
                      "--is-ancestor %s "
                      "$c || break; echo $c; done; } | tail -n 1",
                      name));
        }
    }
    SAME(in_order(merged), in_order(said("git branch --merged main --format='%%(refname:short)'")));
}

static void test_branches_lie_as_git_says(void **state)
{
    (void)state;
    each_random(check_branches, false, 2);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* A line for each line: commit and where it stood there. */
static char *blame_table(const struct json *b)
{
    static char out[400000];
    const struct json *hunks = member(b, "hunks");
    size_t len = 0;
    int64_t next = 1;
    out[0] = '\0';
    for (uint32_t i = 0; i < hunks->count; i++) {
        const struct json *h = &hunks->items[i];
        const char *id = text_in(h, "commit");
        assert_int_equal(int_in(h, "first_line"), next); /* without gaps */
        next += int_in(h, "lines");
        for (int64_t k = 0; k < int_in(h, "lines"); k++)
            len += (size_t)sprintf(
                out + len, "%s %d\n", id[0] ? id : "0000000000000000000000000000000000000000",
                (int)((id[0] ? int_in(h, "original_line") : int_in(h, "first_line")) + k));
    }
    if (len > 0)
        out[len - 1] = '\0';
    return out;
}

#define BLAME "| grep -E '^[0-9a-f]{40} ' | cut -d' ' -f1,2"

static void check_lines(void)
{
    for (int f = 0; f < FILES; f++) {
        const char *branch = some_branch();
        SAME(blame_table(
                 ask("git_blame", "{\"path\":\"d%d/f%d\",\"revision\":\"%s\"}", f % 2, f, branch)),
             said("git blame --porcelain %s -- d%d/f%d " BLAME, branch, f % 2, f));
    }
}

static void test_lines_are_brought_by_whom_git_says(void **state)
{
    (void)state;
    each_random(check_lines, false, 12);
}

static void test_lines_are_followed_through_renames_and_changes_of_the_worktree(void **state)
{
    (void)state;
    git_begin();
    SHELL("seq 1 30 >a; git add .; git commit -qm one");
    SHELL("git mv a b; sed -i 's/^5$/five/' b; git commit -qam two");
    SHELL("sed -i '10d; s/^20$/twenty/' b; git commit -qam three; sed -i '1d; s/^30$/thirty/' b;"
          "echo end >>b");
    git_load("");
    SAME(blame_table(ask("git_blame", "{\"path\":\"b\"}")), said("git blame --porcelain b " BLAME));
    SAME(blame_table(ask("git_blame", "{\"path\":\"b\",\"revision\":\"HEAD\"}")),
         said("git blame --porcelain HEAD -- b " BLAME));
    const struct json *b =
        ask("git_blame", "{\"path\":\"b\",\"first_line\":3,\"last_line\":4,\"revision\":\"HEAD\"}");
    const struct json *h = member(b, "hunks");
    assert_int_equal(h->count, 1);
    assert_string_equal(text_in(&h->items[0], "original_path"), "a");
    assert_string_equal(text_in(&h->items[0], "text"), "3\n4\n");
    assert_int_equal(member(b, "commits")->count, 1);
    SHELL("git checkout -q b; sed -i 's/^/  /' b; git commit -qam indented");
    SAME(blame_table(ask("git_blame", "{\"path\":\"b\",\"ignore_space\":true}")),
         said("git blame -w --porcelain b " BLAME));
    b = ask("git_blame", "{\"path\":\"b\",\"revision\":\"HEAD\",\"look\":1}");
    assert_true(true_in(b, "incomplete"));
    assert_true(true_in(&member(b, "hunks")->items[0], "boundary"));
    CHECK_FAIL("git_blame", "{\"path\":\"c\"}", "c: there is no such file in the worktree");
    CHECK_FAIL("git_blame", "{\"path\":\"c\",\"revision\":\"HEAD\"}", "c: is not in that commit");
    CHECK_FAIL("git_blame", "{\"path\":\"b\",\"first_line\":99}", "the file has 29 lines");
    git_end();
}

/* ---- bounds --------------------------------------------------------------------------------- */

static void check_look(void)
{
    const struct json *l = ask("git_log", "{\"range\":\"main\",\"limit\":1000,\"look\":10}");
    assert_true(true_in(l, "incomplete"));
    assert_int_equal(int_in(l, "looked_at"), 10);
    l = ask("git_merge_base", "{\"revisions\":[\"main\",\"%s\"],\"look\":3}", some_branch());
    assert_true(true_in(ask("git_branches", "{\"look\":5}"), "incomplete"));
    assert_true(true_in(ask("git_renames", "{\"look\":5}"), "incomplete"));
    assert_true(true_in(ask("git_contributors", "{\"look\":5}"), "incomplete"));
    l = ask("git_files", "{\"revision\":\"main\",\"last_commit\":true,\"look\":1}");
    assert_true(true_in(l, "incomplete"));
    assert_null(mgi_json_get(&member(l, "files")->items[0], "last_commit"));
}

static void test_a_history_is_looked_at_as_far_as_was_said(void **state)
{
    (void)state;
    each_random(check_look, false, 1);
}

static void test_a_shallow_clone_ends_where_it_ends(void **state)
{
    (void)state;
    char settings[300];
    git_begin();
    make_random(7, false);
    SHELL("git clone -q --depth 5 --branch main file://$PWD ../outside/shallow");
    snprintf(settings, sizeof settings, "{\"repository\":\"%s/outside/shallow\"}", scratch);
    plugin_load(settings);
    const struct json *l = ask("git_log", "{\"limit\":1000}");
    SAME(column(member(l, "commits"), "id"), said("git -C ../outside/shallow rev-list HEAD"));
    assert_true(true_in(l, "shallow"));
    SAME(column(member(ask("git_log", "{\"path\":\"d0/f0\",\"limit\":1000}"), "commits"), "id"),
         said("git -C ../outside/shallow rev-list HEAD -- d0/f0"));
    SAME(blame_table(ask("git_blame", "{\"path\":\"d0/f0\",\"revision\":\"HEAD\"}")),
         said("git -C ../outside/shallow blame --porcelain HEAD -- d0/f0 " BLAME));
    assert_true(true_in(ask("git_status", "{}"), "shallow"));
    CHECK_FAIL("git_show", "{\"revision\":\"HEAD~30\"}", "shallow clone, without older history");
    git_end();
}

/* A part of this project's own history, where it is one. */
static void test_lines_of_this_project_are_brought_by_whom_git_says(void **state)
{
    (void)state;
    static const char *const paths[] = { "CONTRIBUTING.md", "src/base/arena.h", "plugins/fs/fs.h",
                                         "docs/architecture.md" };
    char settings[300];
    if (system("git -C '" MGI_SOURCE_DIR "' rev-parse --verify -q HEAD >/dev/null 2>&1") != 0)
        skip();
    git_begin();
    snprintf(settings, sizeof settings, "{\"repository\":\"%s\"}", MGI_SOURCE_DIR);
    plugin_load(settings);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        SAME(blame_table(ask("git_blame", "{\"path\":\"%s\",\"revision\":\"HEAD\"}", paths[i])),
             said("git -C '%s' blame --porcelain HEAD -- %s " BLAME, MGI_SOURCE_DIR, paths[i]));
    git_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges_are_those_of_git),
        cmocka_unit_test(test_ranges_hold_where_clocks_were_wrong),
        cmocka_unit_test(test_the_history_of_a_path_is_that_of_git),
        cmocka_unit_test(test_common_ancestors_are_those_of_git),
        cmocka_unit_test(test_branches_lie_as_git_says),
        cmocka_unit_test(test_lines_are_brought_by_whom_git_says),
        cmocka_unit_test(test_lines_are_followed_through_renames_and_changes_of_the_worktree),
        cmocka_unit_test(test_a_history_is_looked_at_as_far_as_was_said),
        cmocka_unit_test(test_a_shallow_clone_ends_where_it_ends),
        cmocka_unit_test(test_lines_of_this_project_are_brought_by_whom_git_says),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
