/* The pipeline in rules/, finished by src/intent/select.c, against an independent greedy selection
 * written from the words of protocol.md 5.2: thousands of random domains of up to 24 tools, with
 * scores, classes, dependencies (cyclic ones too), conflicts, prohibitions and long conflict
 * chains.
 *
 * A failure prints the request that failed; the seed is fixed, so it fails again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "domains/unit.h"
#include "intent/intent.h"

#define TOOLS 24
#define CASES 3000

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint32_t roll(uint32_t n) /* 0 to n - 1 */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 33) % n);
}

/* ---- a random domain, and what should come out of it ---------------------------------------- */

struct model {
    int tools;
    bool requires_[TOOLS][TOOLS], clash[TOOLS][TOOLS], prohibited[TOOLS], unknown_need[TOOLS];
    int class_[TOOLS], score[TOOLS]; /* class 0: no candidate */
    bool unusable[TOOLS], needs[TOOLS][TOOLS], contender[TOOLS], kept[TOOLS];
    int final_score[TOOLS]; /* -1: not returned */
};

static void candidate(struct model *m, int t, int class_, int score)
{
    if (m->class_[t] == 0 || class_ < m->class_[t])
        m->class_[t] = class_;
    if (score > m->score[t])
        m->score[t] = score;
}

static void close_over_needs(struct model *m)
{
    memcpy(m->needs, m->requires_, sizeof m->needs);
    for (int k = 0; k < TOOLS; k++)
        for (int i = 0; i < TOOLS; i++)
            for (int j = 0; j < TOOLS; j++)
                m->needs[i][j] |= m->needs[i][k] && m->needs[k][j];
    for (int i = 0; i < TOOLS; i++) {
        m->unusable[i] = m->prohibited[i] || m->unknown_need[i];
        for (int j = 0; j < TOOLS; j++)
            m->unusable[i] |= m->needs[i][j] && (m->prohibited[j] || m->unknown_need[j]);
    }
}

static bool in_bundle(const struct model *m, int root, int t)
{
    return root == t || m->needs[root][t];
}

static bool bundles_clash(const struct model *m, int a, int b)
{
    for (int x = 0; x < TOOLS; x++)
        for (int y = 0; y < TOOLS; y++)
            if (m->clash[x][y] && in_bundle(m, a, x) && in_bundle(m, b, y))
                return true;
    return false;
}

static bool ranks_before(const struct model *m, int a, int b)
{
    if (m->class_[a] != m->class_[b])
        return m->class_[a] < m->class_[b];
    if (m->score[a] != m->score[b])
        return m->score[a] > m->score[b];
    return a < b;
}

/* One after the other, best first: keep whom nobody kept opposes. */
static void choose_greedily(struct model *m)
{
    int order[TOOLS], count = 0;
    for (int t = 0; t < TOOLS; t++) {
        m->contender[t] = m->class_[t] && !m->unusable[t] && !bundles_clash(m, t, t);
        if (!m->contender[t])
            continue;
        int at = count++;
        for (; at > 0 && ranks_before(m, t, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = t;
    }
    for (int i = 0; i < count; i++) {
        bool opposed = false;
        for (int k = 0; k < i; k++)
            opposed |= m->kept[order[k]] && bundles_clash(m, order[i], order[k]);
        m->kept[order[i]] = !opposed;
    }
    for (int t = 0; t < TOOLS; t++) {
        m->final_score[t] = m->kept[t] ? m->score[t] : -1;
        for (int r = 0; r < TOOLS; r++)
            if (m->kept[r] && m->needs[r][t]) {
                int lent = m->score[r] < 80 ? m->score[r] : 80;
                m->final_score[t] = lent > m->final_score[t] ? lent : m->final_score[t];
            }
    }
}

static void fact(struct buf *out, const char *text)
{
    mgi_buf_puts(out, out->len ? "," : "");
    mgi_buf_puts(out, text);
}

static void fact1(struct buf *out, const char *pred, int t)
{
    char text[96];
    snprintf(text, sizeof text, "{\"pred\":\"%s\",\"args\":[\"t%02d\"]}", pred, t);
    fact(out, text);
}

static void fact2(struct buf *out, const char *pred, int a, int b)
{
    char text[96];
    snprintf(text, sizeof text, "{\"pred\":\"%s\",\"args\":[\"t%02d\",\"t%02d\"]}", pred, a, b);
    fact(out, text);
}

static void fact_intent(struct buf *out, const char *pred, int t, const char *intent, int score)
{
    char text[128];
    if (score >= 0)
        snprintf(text, sizeof text, "{\"pred\":\"%s\",\"args\":[\"t%02d\",\"%s\",%d]}", pred, t,
                 intent, score);
    else
        snprintf(text, sizeof text, "{\"pred\":\"%s\",\"args\":[\"t%02d\",\"%s\"]}", pred, t,
                 intent);
    fact(out, text);
}

/* What speaks for one tool. */
static void invent_candidacy(struct model *m, struct buf *facts, int t)
{
    static const int scores[] = { 0, 10, 30, 30, 50, 50, 60, 80, 80, 90, 100 };
    if (roll(4) != 0) {
        int score = scores[roll(11)];
        fact_intent(facts, "x_relevant", t, "go", score);
        candidate(m, t, 3, score);
    }
    if (roll(8) == 0)
        fact_intent(facts, "x_relevant", t, "other", 100); /* says nothing about `go` */
    if (roll(8) == 0) {
        fact_intent(facts, "x_mandatory", t, "go", -1);
        candidate(m, t, 1, 100);
    }
    if (roll(6) == 0) {
        bool met = roll(2) == 0;
        char text[96];
        fact_intent(facts, "x_serves", t, "go", -1);
        snprintf(text, sizeof text, "{\"pred\":\"x_constraint\",\"args\":[\"t%02d\",\"k%d\"]}", t,
                 met);
        fact(facts, text);
        if (met)
            candidate(m, t, 2, 90);
    }
    if (roll(10) == 0) {
        char text[96];
        snprintf(text, sizeof text, "{\"pred\":\"x_macro\",\"args\":[\"t%02d\",\"condensed\"]}", t);
        fact(facts, text);
        candidate(m, t, 3, 55);
    }
}

static void invent(struct model *m, struct buf *facts)
{
    memset(m, 0, sizeof *m);
    m->tools = 2 + (int)roll(roll(3) == 0 ? TOOLS - 1 : 8);
    fact(facts, "{\"pred\":\"x_met\",\"args\":[\"k1\"]}");
    bool flat = roll(4) == 0; /* all alike: only the rank decides, and chains take many rounds */
    for (int t = 0; t < m->tools; t++) {
        if (!flat) {
            invent_candidacy(m, facts, t);
        } else {
            fact_intent(facts, "x_relevant", t, "go", 50);
            candidate(m, t, 3, 50);
        }
    }
    int links = (int)roll((uint32_t)m->tools);
    for (int i = 0; i < links; i++) {
        int a = (int)roll((uint32_t)m->tools), b = (int)roll((uint32_t)m->tools);
        m->requires_[a][b] = true; /* also on itself, also in circles */
        fact2(facts, "x_requires", a, b);
    }
    bool chain = roll(flat ? 1 : 3) == 0; /* t0 - t1 - t2 - …: what exhausts the rounds */
    for (int i = 0; i + 1 < m->tools && chain; i++) {
        m->clash[i][i + 1] = m->clash[i + 1][i] = true;
        fact2(facts, "x_conflict", i, i + 1);
    }
    for (int i = (int)roll((uint32_t)m->tools + 1); i > 0; i--) {
        int a = (int)roll((uint32_t)m->tools), b = (int)roll((uint32_t)m->tools);
        fact2(facts, "x_conflict", a, b);
        if (a != b)
            m->clash[a][b] = m->clash[b][a] = true;
    }
    for (int t = 0; t < m->tools; t++) {
        if (roll(12) == 0) {
            m->prohibited[t] = true;
            fact1(facts, "x_prohibited", t);
        }
        if (roll(30) == 0) {
            m->unknown_need[t] = true;
            fact2(facts, "x_requires", t, 99); /* there is no t99 */
        }
    }
    close_over_needs(m);
    choose_greedily(m);
}

/* ---- asking the real thing ------------------------------------------------------------------ */

struct fixture {
    struct snapshot *snapshot;
    struct intent_worker *worker;
    struct arena arena;
};

static int set_up(void **state)
{
    static struct fixture f;
    f.snapshot = unit_load(MGI_SOURCE_DIR "/tests/domains/contracts", NULL);
    f.worker = mgi_intent_worker_new();
    mgi_arena_init(&f.arena, 0);
    *state = &f;
    return f.snapshot && f.worker ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    mgi_intent_worker_free(f->worker);
    mgi_snapshot_unref(f->snapshot);
    mgi_arena_fini(&f->arena);
    return 0;
}

/* Scores of what came out, -1 for what did not. */
static void ask(struct fixture *f, const struct buf *facts, const char *constraints, int *scores)
{
    struct buf text = { 0 }, out = { 0 };
    struct json payload, response;
    struct wire_error e = { 0 };
    static const struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = { "local", 5 } };
    mgi_arena_reset(&f->arena);
    mgi_buf_printf(&text,
                   "{\"intent\":{\"name\":\"go\"},\"facts\":[%s],\"constraints\":%s,"
                   "\"options\":{\"disclosure_preference\":\"full\"}}",
                   facts->ptr, constraints);
    assert_int_equal(mgi_json_parse(&f->arena, mgi_buf_view(&text), NULL, &payload, NULL), JSON_OK);
    struct intent_call call = { .snapshot = f->snapshot, .who = &local, .payload = &payload };
    if (!mgi_intent_evaluate(f->worker, &call, &f->arena, &out, &e))
        fail_msg("%s: %s", text.ptr, e.message);
    assert_int_equal(mgi_json_parse(&f->arena, mgi_buf_view(&out), NULL, &response, NULL), JSON_OK);
    for (int t = 0; t < TOOLS; t++)
        scores[t] = -1;
    const struct json *tools = mgi_json_get(&response, "macro_tools");
    for (uint32_t i = 0; i < tools->count; i++) {
        const struct json *name = mgi_json_get(&tools->items[i], "name");
        const struct json *meta = mgi_json_get(&tools->items[i], "metadata");
        scores[atoi(name->string.ptr + 1)] = (int)mgi_json_get(meta, "score")->integer;
    }
    mgi_buf_fini(&text);
    mgi_buf_fini(&out);
}

/* ---- what must hold -------------------------------------------------------------------------- */

static void check_contracts(const struct model *m, const int *got, const struct buf *facts)
{
    for (int a = 0; a < TOOLS; a++) {
        if (got[a] < 0)
            continue;
        bool relevant = m->class_[a] != 0;
        for (int r = 0; r < TOOLS; r++)
            relevant |= got[r] >= 0 && m->class_[r] && m->needs[r][a];
        if (!relevant)
            fail_msg("t%02d has nothing to do with the intent: %s", a,
                     facts->ptr); /* P-CONTRACT-1 */
        if (m->prohibited[a])
            fail_msg("t%02d is prohibited: %s", a, facts->ptr); /* P-CONTRACT-3, P-CONTRACT-4 */
        for (int b = 0; b < TOOLS; b++) {
            if (got[b] >= 0 && m->clash[a][b])
                fail_msg("t%02d and t%02d clash: %s", a, b, facts->ptr); /* P-CONTRACT-5 */
            if (got[b] < 0 && m->requires_[a][b])
                fail_msg("t%02d lacks t%02d: %s", a, b, facts->ptr); /* P-CONTRACT-8, -9 */
        }
    }
}

static void test_random_domains_come_out_as_the_greedy_selection_says(void **state)
{
    struct fixture *f = *state;
    for (int n = 0; n < CASES; n++) {
        struct model m;
        struct buf facts = { 0 };
        int got[TOOLS];
        invent(&m, &facts);
        ask(f, &facts, "{}", got);
        check_contracts(&m, got, &facts);
        for (int t = 0; t < TOOLS; t++) /* P-CONTRACT-6, P-CONTRACT-7, P-EVAL-11 */
            if (got[t] != m.final_score[t])
                fail_msg("case %d: t%02d scored %d, the greedy selection says %d: %s", n, t, got[t],
                         m.final_score[t], facts.ptr);
        mgi_buf_fini(&facts);
    }
}

static void test_a_cap_never_breaks_a_bundle(void **state)
{
    struct fixture *f = *state;
    for (int n = 0; n < CASES / 4; n++) {
        struct model m;
        struct buf facts = { 0 };
        int got[TOOLS], cap = (int)roll(6), count = 0;
        char constraints[64];
        invent(&m, &facts);
        snprintf(constraints, sizeof constraints, "{\"max_tools_returned\":%d}", cap);
        ask(f, &facts, constraints, got);
        check_contracts(&m, got, &facts);
        for (int t = 0; t < TOOLS; t++)
            count += got[t] >= 0;
        if (count > cap)
            fail_msg("%d tools under a cap of %d: %s", count, cap, facts.ptr); /* P-BUDGET-11 */
        mgi_buf_fini(&facts);
    }
}

static void test_the_order_of_facts_does_not_matter(void **state)
{
    struct fixture *f = *state;
    for (int n = 0; n < CASES / 10; n++) {
        struct model m;
        struct buf facts = { 0 }, reversed = { 0 };
        int first[TOOLS], second[TOOLS];
        invent(&m, &facts);
        size_t end = facts.len; /* facts are flat objects: cut before each one but the first */
        for (size_t i = facts.len; i-- > 0;)
            if (facts.ptr[i] == '{') {
                mgi_buf_puts(&reversed, reversed.len ? "," : "");
                mgi_buf_append(&reversed, facts.ptr + i, end - i);
                end = i > 0 ? i - 1 : 0;
            }
        ask(f, &facts, "{}", first);
        ask(f, &reversed, "{}", second);
        assert_memory_equal(first, second, sizeof first); /* P-DET-6 */
        mgi_buf_fini(&facts);
        mgi_buf_fini(&reversed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_domains_come_out_as_the_greedy_selection_says),
        cmocka_unit_test(test_a_cap_never_breaks_a_bundle),
        cmocka_unit_test(test_the_order_of_facts_does_not_matter),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("rules/contracts", tests, set_up, tear_down);
}
