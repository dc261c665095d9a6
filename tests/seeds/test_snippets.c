/* Every piece of Mangle that the founding documents print means what they say. The pieces stand in
 * text/ as printed (see seed_text.h). A case, cases/NAME.mg, is what one needs around it in our
 * words; its first comment names the document and the section. In a case
 *
 *     {{data-model-4.6-rule.mg}}          is the printed block,
 *     {{data-model-4.1-mangle.txt:2}}     the second form of a table,
 *     {{data-model-4.3.txt:1 D=5m}}       that form with its placeholder D filled in.
 *
 * cases/NAME.out holds, after each line `at TIME`, what follows at that evaluation time: the facts
 * of all derived predicates, or `error: CLASS`. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>

#include "base/time.h"
#include "seed_text.h"
#include "support/mangle_run.h"

#define MAX_CASES 64

/* Replace each `from=to` of the blank-separated list. */
static char *fill_in(char *text, const char *list, size_t len)
{
    char *words = strndup(list, len), *rest = words;
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        char *to = strchr(word, '=');
        assert_non_null(to);
        *to = 0;
        assert_non_null(strstr(text, word));
        text = seed_replace(text, word, to + 1);
    }
    free(words);
    return text;
}

/* `mark` is what stands between the braces. */
static void add_seed(struct buf *out, const char *mark, size_t len)
{
    size_t name = strcspn(mark, ": }");
    char *text = seed_file("text", mark, name);
    if (!text)
        fail_msg("no seed text %.*s", (int)len, mark);
    if (mark[name] == ':') {
        char *line = seed_line(text, atoi(mark + name + 1));
        free(text);
        text = line;
        assert_non_null(text);
        name += strcspn(mark + name, " }");
    }
    text = fill_in(text, mark + name, len - name);
    mgi_buf_puts(out, text);
    free(text);
}

static void read_case(const char *name, struct buf *out)
{
    char file[128];
    snprintf(file, sizeof file, "%s.mg", name);
    char *text = seed_file("cases", file, strlen(file));
    assert_non_null(text);
    mgi_buf_init(out);
    const char *at = text;
    for (const char *mark; (mark = strstr(at, "{{")) != NULL;) {
        const char *end = strstr(mark, "}}");
        assert_non_null(end);
        mgi_buf_append(out, at, (size_t)(mark - at));
        add_seed(out, mark + 2, (size_t)(end - mark - 2));
        at = end + 2;
    }
    mgi_buf_puts(out, at);
    free(text);
}

/* The lines up to the next `at`, the caller's; *at moves there. */
static char *next_expectation(const char **at, int64_t *now_ns)
{
    const char *line = *at;
    assert_true(strncmp(line, "at ", 3) == 0);
    size_t len = strcspn(line, "\n");
    assert_int_equal(mgi_time_parse((struct str){ line + 3, len - 3 }, 0, now_ns), TIME_OK);
    const char *begin = line + len + 1, *end = begin;
    while (*end && strncmp(end, "at ", 3) != 0)
        end += strcspn(end, "\n") + 1;
    *at = end;
    return strndup(begin, (size_t)(end - begin));
}

static bool runs_to(const char *program, const char *expected, int64_t now_ns, bool all)
{
    struct run_options options = { .now_ns = now_ns, .changeable = all ? run_changes_all : NULL };
    char *got = run_text(program, &options);
    bool same = strcmp(got, expected) == 0;
    if (!same)
        print_error("%s=> at %lld\n%sgot (%s changeable)\n%s\n", program, (long long)now_ns,
                    expected, all ? "all" : "nothing", got);
    mangle_free(got);
    return same;
}

static void test_case(void **state)
{
    char file[128];
    struct buf program;
    int wrong = 0, times = 0;
    snprintf(file, sizeof file, "%s.out", (const char *)*state);
    char *expectations = seed_file("cases", file, strlen(file));
    assert_non_null(expectations);
    read_case(*state, &program);
    for (const char *at = expectations; *at; times++) {
        int64_t now_ns;
        char *expected = next_expectation(&at, &now_ns);
        wrong += !runs_to(program.ptr, expected, now_ns, false);
        wrong += !runs_to(program.ptr, expected, now_ns, true);
        free(expected);
    }
    assert_true(times > 0);
    assert_int_equal(wrong, 0);
    mgi_buf_fini(&program);
    free(expectations);
}

/* ---- nothing is forgotten ---------------------------------------------------------------- */

static char *case_names[MAX_CASES];
static size_t case_count;

static bool is_used(const char *mark)
{
    bool used = false;
    for (size_t i = 0; i < case_count && !used; i++) {
        char file[128];
        snprintf(file, sizeof file, "%s.mg", case_names[i]);
        char *text = seed_file("cases", file, strlen(file));
        const char *hit = text ? strstr(text, mark) : NULL;
        used = hit && strchr(" }", hit[strlen(mark)]);
        free(text);
    }
    return used;
}

static void test_every_printed_piece_of_mangle_is_in_a_case(void **state)
{
    static const char *const forms[] = {
        "data-model-3.1-mangle.txt",   "data-model-4.1-mangle.txt",   "data-model-4.3.txt",
        "data-model-4.5.txt",          "data-model-7.2.txt",          "white-paper-time.txt",
        "white-paper-aggregation.txt", "white-paper-reachability.txt"
    };
    (void)state;
    glob_t blocks;
    assert_int_equal(glob(SEED_FOLDER "text/*.mg", 0, NULL, &blocks), 0);
    for (size_t i = 0; i < blocks.gl_pathc; i++) {
        char mark[128];
        snprintf(mark, sizeof mark, "{{%s", strrchr(blocks.gl_pathv[i], '/') + 1);
        if (!is_used(mark))
            fail_msg("%s is in no case", mark + 2);
    }
    globfree(&blocks);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char *text = seed_file("text", forms[i], strlen(forms[i])), *line;
        for (int n = 1; (line = seed_line(text, n)) != NULL; n++) {
            char mark[128];
            snprintf(mark, sizeof mark, "{{%s:%d", forms[i], n);
            if (!is_used(mark))
                fail_msg("%s is in no case: %s", mark + 2, line);
            free(line);
        }
        free(text);
    }
}

int main(void)
{
    struct CMUnitTest tests[MAX_CASES + 1] = {
        cmocka_unit_test(test_every_printed_piece_of_mangle_is_in_a_case),
    };
    glob_t found;
    if (glob(SEED_FOLDER "cases/*.mg", 0, NULL, &found) || found.gl_pathc < 15 ||
        found.gl_pathc > MAX_CASES) {
        fprintf(stderr, "too few or too many cases in %s\n", SEED_FOLDER "cases");
        return 1;
    }
    for (; case_count < found.gl_pathc; case_count++) {
        char *name = strrchr(found.gl_pathv[case_count], '/') + 1;
        name[strlen(name) - 3] = 0;
        case_names[case_count] = name;
        tests[case_count + 1] = (struct CMUnitTest){ name, test_case, NULL, NULL, name };
    }
    int failed = _cmocka_run_group_tests("seeds", tests, case_count + 1, NULL, NULL);
    globfree(&found);
    return failed;
}
