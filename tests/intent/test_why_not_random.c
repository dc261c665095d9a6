/* Random domains: every set that is told, applied to the facts, brings the tool; none is told that
 * needs fewer; and what is told of a bound is true. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "intent/why_domain.h"
#include "support/rounds.h"

#define DOMAINS  test_rounds(30)
#define REQUESTS 6
#define PREDS    4
#define TOOLS    5

static uint64_t seed;

static unsigned draw(unsigned below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % below;
}

static void draw_atom(struct buf *out, const char *const *terms, unsigned terms_count)
{
    mgi_buf_printf(out, "p%u(%s, %s)", draw(PREDS), terms[draw(terms_count)],
                   terms[draw(terms_count)]);
}

/* A body that is safe: X and Y are bound by its first premise. */
static void draw_body(struct buf *out)
{
    static const char *const bound[] = { "X", "Y", "\"a\"", "\"b\"", "\"c\"" };
    mgi_buf_printf(out, "p%u(X, Y)", draw(PREDS));
    for (unsigned i = draw(3); i > 0; i--) {
        mgi_buf_puts(out, draw(3) ? ", " : ", !");
        draw_atom(out, bound, 5);
    }
    if (draw(4) == 0)
        mgi_buf_puts(out, draw(2) ? ", X != Y" : ", X = \"a\"");
}

static void draw_domain(struct why_domain *d)
{
    static const char *const tools[] = { "t0", "t1", "t2", "t3", "t4", NULL };
    struct buf schema = { 0 }, domain = { 0 }, policy = { 0 };
    for (unsigned i = 0; i < PREDS; i++)
        mgi_buf_printf(
            &schema, "Decl p%u(A, B) descr [direction(\"input\")] bound [/string, /string].\n", i);
    for (unsigned i = 0; i < 8; i++) {
        mgi_buf_printf(&domain, "tool_relevant_to_intent(\"t%u\", \"go\", %u) :- ", draw(TOOLS),
                       10 + draw(90));
        draw_body(&domain);
        mgi_buf_puts(&domain, ".\n");
    }
    for (unsigned i = 0; i < 3; i++) {
        unsigned one = draw(TOOLS), other = draw(TOOLS);
        if (one != other)
            mgi_buf_printf(&domain,
                           draw(2) ? "conflicts_with(\"t%u\", \"t%u\").\n"
                                   : "tool_requires(\"t%u\", \"t%u\").\n",
                           one, other);
        mgi_buf_printf(&policy, "prohibited(\"t%u\", \"r\") :- ", draw(TOOLS));
        draw_body(&policy);
        mgi_buf_puts(&policy, ".\n");
    }
    why_open(d, schema.ptr, domain.ptr, policy.ptr, tools);
    mgi_buf_fini(&schema);
    mgi_buf_fini(&domain);
    mgi_buf_fini(&policy);
}

static void draw_facts(struct buf *out)
{
    static const char *const values[] = { "a", "b", "c", "d" };
    for (unsigned i = draw(8), first = 1; i > 0; i--, first = 0)
        mgi_buf_printf(out, "%s{\"pred\":\"p%u\",\"args\":[\"%s\",\"%s\"]}", first ? "" : ",",
                       draw(PREDS), values[draw(4)], values[draw(4)]);
}

static bool same_atom(const struct json *a, const struct json *b)
{
    return mgi_json_equal(mgi_json_get(a, "pred"), mgi_json_get(b, "pred"), true) &&
           mgi_json_equal(mgi_json_get(a, "args"), mgi_json_get(b, "args"), true);
}

/* The request with the changes that `skip` leaves over, of adds and then removes. */
static void write_changed(struct buf *out, const struct json *facts, const struct json *change,
                          uint32_t skip)
{
    const struct json *add = mgi_json_get(change, "add"), *remove = mgi_json_get(change, "remove");
    bool first = true;
    mgi_buf_clear(out);
    mgi_buf_puts(out, "{\"intent\":{\"name\":\"go\"},\"facts\":[");
    for (uint32_t i = 0; i < facts->count; i++) {
        bool gone = false;
        for (uint32_t k = 0; k < remove->count; k++)
            gone |= add->count + k != skip && same_atom(&remove->items[k], &facts->items[i]);
        if (!gone)
            mgi_buf_printf(out, "%s%.*s", first ? "" : ",", STR_ARG(facts->items[i].text));
        first = first && gone;
    }
    for (uint32_t i = 0; i < add->count; i++)
        if (i != skip) {
            mgi_buf_printf(out, "%s%.*s", first ? "" : ",", STR_ARG(add->items[i].text));
            first = false;
        }
    mgi_buf_puts(out, "]}");
}

static bool brings(struct why_domain *d, const char *payload, struct str tool)
{
    const struct why_options author = { 0 };
    struct json answer;
    struct wire_error e;
    if (!why_ask(d, &author, payload, NULL, &answer, NULL, &e))
        fail_msg("%s: %s", e.message, payload);
    return why_has(&answer, tool);
}

static void check_tool(struct why_domain *d, const struct json *facts, const struct json *one,
                       size_t *sets)
{
    const struct json *changes = mgi_json_get(one, "changes");
    struct str tool = mgi_json_get(one, "tool")->string;
    struct buf payload = { 0 };
    for (uint32_t i = 0; i < changes->count; i++) {
        const struct json *c = &changes->items[i];
        uint32_t size = mgi_json_get(c, "add")->count + mgi_json_get(c, "remove")->count;
        assert_true(size >= 1 && size <= 3);
        write_changed(&payload, facts, c, UINT32_MAX);
        if (!brings(d, payload.ptr, tool))
            fail_msg("seed %llu: %.*s does not bring %.*s: %s", (unsigned long long)seed,
                     STR_ARG(c->text), STR_ARG(tool), payload.ptr);
        for (uint32_t k = 0; k < size; k++) {
            write_changed(&payload, facts, c, k);
            if (brings(d, payload.ptr, tool))
                fail_msg("%.*s needs not all of it: %s", STR_ARG(c->text), payload.ptr);
        }
        ++*sets;
    }
    mgi_buf_fini(&payload);
}

/* By trying all: does one fact more or less bring it? */
static bool one_is_enough(struct why_domain *d, const struct json *facts, struct str tool)
{
    bool enough = false;
    struct buf payload = { 0 };
    for (unsigned n = 0; n < PREDS * 16 + facts->count && !enough; n++) {
        char text[200];
        if (n < PREDS * 16)
            snprintf(text, sizeof text,
                     "{\"add\":[{\"pred\":\"p%u\",\"args\":[\"%c\",\"%c\"]}],\"remove\":[]}",
                     n / 16, "abcd"[n / 4 % 4], "abcd"[n % 4]);
        else
            snprintf(text, sizeof text, "{\"add\":[],\"remove\":[%.*s]}",
                     STR_ARG(facts->items[n - PREDS * 16].text));
        struct json change = why_parse(d, str_of(text));
        write_changed(&payload, facts, &change, UINT32_MAX);
        enough = brings(d, payload.ptr, tool);
    }
    mgi_buf_fini(&payload);
    return enough;
}

static bool tells_one(const struct json *one)
{
    const struct json *changes = mgi_json_get(one, "changes");
    for (uint32_t i = 0; i < changes->count; i++)
        if (mgi_json_get(&changes->items[i], "add")->count +
                mgi_json_get(&changes->items[i], "remove")->count ==
            1)
            return true;
    return false;
}

static void test_every_set_that_is_told_brings_the_tool(void **state)
{
    (void)state;
    const struct why_options author = { 0 };
    size_t absent = 0, mended = 0, sets = 0, enough = 0, found = 0;
    for (uint64_t n = 1; n <= DOMAINS; n++) {
        struct why_domain d;
        seed = n;
        draw_domain(&d);
        for (int r = 0; r < REQUESTS; r++) {
            struct buf text = { 0 };
            struct json answer, why = { 0 };
            struct wire_error e;
            mgi_buf_puts(&text, "{\"intent\":{\"name\":\"go\"},\"facts\":[");
            draw_facts(&text);
            mgi_buf_puts(&text, "]}");
            struct json payload = why_parse(&d, mgi_buf_view(&text));
            if (!why_ask(&d, &author, text.ptr, "[\"t0\",\"t1\",\"t2\",\"t3\"]", &answer, &why, &e))
                fail_msg("%s: %s", e.message, text.ptr);
            for (uint32_t i = 0; i < why.count; i++) {
                bool there = why_has(&answer, mgi_json_get(&why.items[i], "tool")->string);
                assert_int_equal(mgi_json_get(&why.items[i], "selected")->boolean, there);
                absent += !there;
                mended += mgi_json_get(&why.items[i], "changes")->count > 0;
                assert_true(there || mgi_json_get(&why.items[i], "reasons")->count > 0);
                check_tool(&d, mgi_json_get(&payload, "facts"), &why.items[i], &sets);
                if (r > 0 || there ||
                    !one_is_enough(&d, mgi_json_get(&payload, "facts"),
                                   mgi_json_get(&why.items[i], "tool")->string))
                    continue;
                enough++;
                found += tells_one(&why.items[i]);
            }
            mgi_buf_fini(&text);
        }
        why_close(&d);
    }
    print_message(
        "# %zu absent, %zu mended, by %zu sets; of %zu that one change mends %zu were told one\n",
        absent, mended, sets, enough, found);
    assert_true(mended * 2 > absent); /* it is of use */
    assert_true(found * 100 >= enough * 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_set_that_is_told_brings_the_tool),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("intent/why_not_random", tests, NULL, NULL);
}
