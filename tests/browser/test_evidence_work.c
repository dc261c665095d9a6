/* Evidence of work that keeps the page for long, and of what makes objects that stay. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "browser/plugin_fixture.h"
#include "browser/evidence_fixture.h"
#include "browser/traces.h"
#include "browser/evidence_of.h"

#define H "http://h"

static void frame(struct buf *t, int64_t at, const char *url, const char *name, int char_at,
                  int64_t ms, int laid)
{
    tr(t, at + ms, "Machina.frame",
       "{'k':'frame','ms':%lld,'laid':%d,'scripts':[{'url':'%s','name':'%s','at':%d,"
       "'by':'BUTTON#go.onclick','type':'event-listener','start':%lld,'ms':%lld,'layout':700,"
       "'paused':0}]}",
       (long long)ms, laid, url, name, char_at, (long long)(TRACES_T0 + at), (long long)ms);
}

/* By the text of the script a character is a line; within a document it is counted from the
 * beginning of its own script, the only one in which a function begins there. */
static void test_a_long_script_is_told_where_it_was_entered(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "0", H "/", "Document", 200,
             "<p>\n<script>let a=1;</script>\n<script>\nlet b;\nfunction spin() { }\n</script>");
    tr_whole(&t, 20, "1", H "/a.js", "Script", 200, "let a;\n\nfunction fit() { }\n");
    frame(&t, 1000, H "/a.js", "fit", 20, 900, 300);
    frame(&t, 3000, H "/", "spin", 17, 500, 0);
    frame(&t, 4000, H "/a.js", "fit", 9999, 400, 0);
    frame(&t, 5000, H "/a.js", "fit", 20, 150, 0);
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(
        HAS(&facts, "long_script", "b1", "BUTTON#go.onclick", "event-listener", "900", "700"));
    assert_true(HAS(&facts, "laid_out", "b1", "300"));
    assert_true(HAS(&facts, "stack", "b1", "0", "fit", H "/a.js", "3"));
    assert_true(HAS(&facts, "stack", "b2", "0", "spin", H "/", "5"));
    assert_true(HAS(&facts, "long_script", "b3", "*", "*", "400", "*"));
    assert_false(HAS(&facts, "stack", "b3", "*", "*", "*", "*")); /* the script is not so long */
    assert_false(HAS(&facts, "laid_out", "b2", "*"));
    assert_false(HAS(&facts, "long_script", "b4", "*", "*", "*", "*")); /* not for long */
}

static void look(struct buf *t, int64_t at, const char *name, int line, int layout, int layouts)
{
    tr(t, at, "Machina.spent", "{'k':'spent','at':%lld,'layout':%d,'layouts':%d}", (long long)at,
       layout, layouts);
    tr(t, at, "Machina.busy",
       "{'k':'busy','frames':[{'script':'99','name':'ours','line':0,'column':1},"
       "{'script':'7','name':'%s','line':%d,'column':1},"
       "{'script':'7','name':'run','line':20,'column':1}]}",
       name, line);
}

/* Where the page was found most often, without frames of no address; what it spent is of the time
 * between the first look and the last. */
static void test_a_page_that_was_looked_at_is_told_where_it_was(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 20, "1", H "/a.js", "Script", 200, "let a;\n");
    tr(&t, 30, "Debugger.scriptParsed", "{'scriptId':'7','url':'http://h/a.js'}");
    look(&t, 900, "early", 3, 10, 1);
    look(&t, 1300, "fit", 4, 20, 10);
    look(&t, 1500, "other", 9, 100, 60);
    look(&t, 1800, "fit", 5, 420, 110);
    tr(&t, 2010, "Machina.longtask", "{'k':'longtask','ms':1000,'start':%lld}",
       (long long)(TRACES_T0 + 1000));
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "long_script", "b1", "", "", "1000", "800"));
    assert_true(HAS(&facts, "layouts_within", "b1", "100"));
    assert_true(HAS(&facts, "stack", "b1", "0", "fit", H "/a.js", "5"));
    assert_true(HAS(&facts, "stack", "b1", "1", "run", H "/a.js", "21"));
}

/* Of what was asked last; most bytes first. */
static void test_who_makes_what_stays_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    const char *one = "{'k':'held','bytes':%d,'stackTrace':{'callFrames':[{'functionName':'%s',"
                      "'url':'http://h/a.js','lineNumber':%d,'columnNumber':1}]}}";
    tr(&t, 1000, "Machina.held", one, 90000, "before", 1);
    tr(&t, 2000, "Machina.held", one, 190000, "remember", 2);
    tr(&t, 2000, "Machina.held", one, 70000, "note", 3);
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "kept_alive", "h1", "190000"));
    assert_true(HAS(&facts, "stack", "h1", "0", "remember", H "/a.js", "3"));
    assert_true(HAS(&facts, "kept_alive", "h2", "70000"));
    assert_false(HAS(&facts, "kept_alive", "h3", "*"));
}

static bool grows(const char *what, const int *counts, int step_ms)
{
    struct buf t = { 0 };
    int64_t at = 0;
    for (int i = 0; counts[i]; i++)
        tr(&t, at += i % 2 ? step_ms : 1000, "Machina.counters", "{'%s':%d,'collected':true}", what,
           counts[i]);
    struct json facts = facts_of(&t);
    return count_facts(&facts, "grows") > 0;
}

/* A second look at once tells nothing new, and what grows now and then is level between; what has
 * come to rest, or falls, does not grow. */
static void test_what_grows_in_steps_grows(void **state)
{
    (void)state;
    assert_true(grows("nodes", (const int[]){ 10, 20, 30, 40, 40, 0 }, 50));
    assert_true(grows("nodes", (const int[]){ 10, 20, 20, 30, 30, 40, 40, 0 }, 1000));
    assert_true(grows("heap", (const int[]){ 100000, 900000, 1700000, 1695000, 2500000, 0 }, 1000));
    assert_false(grows("nodes", (const int[]){ 10, 20, 30, 40, 40, 40, 40, 0 }, 1000));
    assert_false(grows("nodes", (const int[]){ 10, 20, 20, 20, 30, 0 }, 1000));
    assert_false(grows("nodes", (const int[]){ 10, 20, 30, 29, 40, 0 }, 1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_script_is_told_where_it_was_entered),
        cmocka_unit_test(test_a_page_that_was_looked_at_is_told_where_it_was),
        cmocka_unit_test(test_who_makes_what_stays_is_told),
        cmocka_unit_test(test_what_grows_in_steps_grows),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
