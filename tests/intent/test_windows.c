/* The judge of windows: random domains whose policy depends on time. Every tool that is offered is
 * looked for again, by a fresh evaluation, at each instant of its window at which anything could
 * change, a nanosecond before and after, and between; and the rules are asked again, as for an
 * invocation, at all of these instants inside and outside: what would not be offered then does not
 * stand. In every other domain a worker remembers what it has evaluated (intent/offer_memo.h), and
 * is held to the same.
 *
 *   WINDOWS=20000   how many domains (40 if not given)
 *   FROM=10000      and from which on
 *   WINDOW=17       this one alone, told in full                                  */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>

#include "domain/temp_domain.h"
#include "intent/intent_int.h"
#include "intent/policy_gen.h"
#include "support/rounds.h"

#define INSTANTS_MAX 600
#define FINDINGS_MAX 5 /* told in full */

static struct temp_domain domain;
static struct intent_worker *worker;
static struct snapshot *snapshot;
static struct policy_gen gen;
static uint64_t number;
static struct tally {
    uint64_t domains, tools, windows, instants, asked, stood, late, ran, refused;
} tally;

static const struct str all[] = { { "intent:*", 8 }, { "x", 1 } };

static struct principal caller(void)
{
    return (struct principal){ .kind = PRINCIPAL_KNOWN,
                               .identity = { "ann", 3 },
                               .permissions = all,
                               .permission_count = gen.more ? 2 : 1 };
}

static const char schema[] =
    "Decl ev(Kind) temporal descr [direction(\"input\")] bound [/string].\n"
    "Decl seen(What) descr [direction(\"input\")] bound [/string].\n";
static const char helpers[] =
    "Decl count(Kind, N) bound [/string, /number].\n"
    "Decl h0(K) bound [/string].\nDecl h1(K) bound [/string].\nDecl h2(K) bound [/string].\n"
    "Decl permitted(P) bound [/string].\n"
    "permitted(P) :- client_permission(P).\n"
    "Decl age(Kind, D) bound [/string, /duration].\n"
    "age(K, D) :- ev(K)@[T, _], D = fn:time:sub(fn:time:now(), T).\n"
    "recent(K) :- <-[20m] ev(K).\n"
    "count(K, N) :- seen(K), recent(Other) |> do fn:group_by(K), let N = fn:count().\n";

static int set_up(void **state)
{
    struct buf tools = { 0 };
    (void)state;
    temp_make(&domain);
    temp_write(&domain, "rules/schema/s.mg", schema);
    for (int t = 0; t < GEN_TOOLS; t++)
        mgi_buf_printf(
            &tools,
            "- tool: t%d\n  summary: s\n  description: d\n"
            "  input_schema: {type: object, properties: {q: {type: string}}}\n"
            "  steps:\n"
            "    - {id: a, action: AID.FX.ECHO.v1, inputs: {label: x}}\n"
            "    - {id: b, action: AID.FX.TOUCH.v1, inputs: {label: x}, optional: true}\n"
            "  result: {x: {from: steps.a.output.label}}\n",
            t);
    temp_write(&domain, "tools/t.yaml", tools.ptr);
    mgi_buf_fini(&tools);
    worker = mgi_intent_worker_new();
    return worker ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_intent_worker_free(worker);
    temp_remove(&domain);
    return 0;
}

/* ---- one domain --------------------------------------------------------------------------------
 */

static bool load(void)
{
    struct buf findings = { 0 };
    struct buf policy = { 0 };
    mgi_buf_puts(&policy, helpers);
    mgi_buf_str(&policy, mgi_buf_view(&gen.policy));
    temp_write(&domain, "rules/policy/p.mg", policy.ptr);
    temp_write(&domain, "rules/domain/d.mg", gen.domain.ptr);
    static const char *const set[] = { "validity.cache=48h", NULL }; /* nothing is forgotten */
    snapshot = temp_load(&domain, set, false, &findings);
    if (!snapshot && getenv("WINDOW"))
        print_error("%s", findings.ptr);
    mgi_buf_fini(&findings);
    mgi_buf_fini(&policy);
    return snapshot != NULL;
}

struct offered {
    struct str macro_id, tool;
    bool confirm;
    bool has_window;
    int64_t from_ns, until_ns;
};

struct answer {
    struct offered tools[GEN_TOOLS + 1];
    size_t count;
};

static void read_answer(struct arena *arena, struct str text, struct answer *out)
{
    struct json root;
    assert_int_equal(mgi_json_parse(arena, text, NULL, &root, NULL), JSON_OK);
    const struct json *tools = mgi_json_get(&root, "macro_tools");
    out->count = 0;
    for (uint32_t i = 0; i < tools->count && i < GEN_TOOLS; i++) {
        const struct json *t = &tools->items[i];
        const struct json *confirm =
            mgi_json_pointer_get(t, STR_LIT("/safety/requires_user_confirmation"));
        struct offered *o = &out->tools[out->count++];
        *o = (struct offered){ .macro_id = mgi_json_get(t, "macro_id")->string,
                               .tool = mgi_json_get(t, "name")->string,
                               .confirm = confirm && confirm->boolean };
    }
}

static void evaluate(struct arena *arena, int64_t at_ns, const struct store *store,
                     struct answer *out)
{
    struct principal who = caller();
    struct buf text = { 0 }, answer = { 0 };
    struct json payload;
    struct wire_error e = { .retry_after_ms = -1 };
    mgi_buf_printf(&text,
                   "{\"intent\":{\"name\":\"go\"},\"facts\":[%.*s],\"options\":{"
                   "\"disclosure_preference\":\"%s\"}",
                   STR_ARG(mgi_buf_view(&gen.facts)), number % 3 ? "full" : "adaptive");
    if (gen.max_tools >= 0)
        mgi_buf_printf(&text, ",\"constraints\":{\"max_tools_returned\":%d}", gen.max_tools);
    mgi_buf_puts(&text, "}");
    assert_int_equal(mgi_json_parse(arena, mgi_buf_view(&text), NULL, &payload, NULL), JSON_OK);
    struct intent_call call = {
        .snapshot = snapshot, .who = &who, .payload = &payload, .clock_ns = at_ns, .store = store
    };
    if (!mgi_intent_evaluate(worker, &call, arena, &answer, &e))
        fail_msg("domain %" PRIu64 ": %s", number, e.message);
    read_answer(arena, mgi_arena_str(arena, mgi_buf_view(&answer)), out);
    mgi_buf_fini(&text);
    mgi_buf_fini(&answer);
}

static const struct offered *find(const struct answer *a, struct str name)
{
    for (size_t i = 0; i < a->count; i++)
        if (str_eq(a->tools[i].tool, name))
            return &a->tools[i];
    return NULL;
}

static struct macro definition(struct arena *arena, const struct store *store,
                               const struct offered *o)
{
    struct principal who = caller();
    struct macro_entry entry;
    enum macro_found found;
    struct macro m;
    assert_int_equal(mgi_store_macro_get(store, mgi_principal_key(&who), o->macro_id, gen.at_ns,
                                         arena, &found, &entry),
                     STORE_OK);
    assert_int_equal(found, MACRO_FOUND);
    assert_true(mgi_macro_read(arena, entry.definition, &m));
    return m;
}

/* Not every level shows it. */
static void read_window(struct arena *arena, const struct store *store, struct offered *o)
{
    struct macro m = definition(arena, store, o);
    o->from_ns = m.evidence[0].not_before_ns;
    o->until_ns = m.evidence[0].expires_ns;
    o->has_window = o->until_ns != INT64_MAX;
}

/* ---- instants ----------------------------------------------------------------------------------
 */

struct instants {
    int64_t ns[INSTANTS_MAX];
    size_t count;
};

static int compare_ns(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static void add_around(struct instants *list, int64_t ns)
{
    for (int64_t off = -1; off <= 1 && list->count < INSTANTS_MAX; off++)
        list->ns[list->count++] = ns + off;
}

/* All at which anything can change: bounds of events, moved by every sum of two windows' lengths
 * that rules can name; hours; and some between. */
static void list_instants(const struct answer *a, struct instants *list)
{
    static const int moves[] = { 0, 5, 10, 15, 20, 25, 30, 40, 60, 65, 70, 80, 120 };
    list->count = 0;
    for (size_t i = 0; i < a->count; i++)
        if (a->tools[i].has_window)
            add_around(list, a->tools[i].until_ns - 1);
    for (int hour = -3; hour <= 3; hour++)
        add_around(list, GEN_NOON + hour * 60 * GEN_MIN);
    for (size_t b = 0; b < gen.bound_count; b++)
        for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
            add_around(list, gen.bounds[b] + moves[m] * GEN_MIN);
            add_around(list, gen.bounds[b] - moves[m] * GEN_MIN);
        }
    qsort(list->ns, list->count, sizeof *list->ns, compare_ns);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->ns[i] != list->ns[kept - 1])
            list->ns[kept++] = list->ns[i];
    list->count = kept;
}

/* ---- judging -----------------------------------------------------------------------------------
 */

static void tell(const char *what, const struct offered *o, int64_t at_ns)
{
    static unsigned told;
    if (told++ >= FINDINGS_MAX && !getenv("WINDOW"))
        return;
    struct buf a = { 0 }, b = { 0 }, c = { 0 };
    mgi_time_print(&a, at_ns);
    mgi_time_print(&b, gen.at_ns);
    if (o->has_window)
        mgi_time_print(&c, o->until_ns);
    print_error("WINDOW=%" PRIu64 ": %.*s %s at %s; evaluated at %s, until %s\n", number,
                STR_ARG(o->tool), what, a.ptr, b.ptr, c.ptr ? c.ptr : "ever");
    if (getenv("WINDOW") || told == 1)
        fprintf(stderr, "%s%s[%s]\n", gen.policy.ptr, gen.domain.ptr, gen.facts.ptr);
    mgi_buf_fini(&a);
    mgi_buf_fini(&b);
    mgi_buf_fini(&c);
}

static bool in_window(const struct offered *o, int64_t at_ns)
{
    return !o->has_window || (at_ns >= o->from_ns && at_ns < o->until_ns);
}

/* Without a window it is good for now and later. */
static void judge_window(const struct offered *o, const struct answer *then, int64_t at_ns)
{
    if (at_ns < gen.at_ns || !in_window(o, at_ns))
        return;
    const struct offered *there = find(then, o->tool);
    tally.instants++;
    if (there && str_eq(there->macro_id, o->macro_id))
        return;
    tally.late++;
    tell(there ? "is another one" : "is not offered", o, at_ns);
}

/* As an invocation asks, but for the window, which would hide what the rules say. */
static void judge_standing(struct arena *arena, const struct store *store, const struct offered *o,
                           const struct answer *then, int64_t at_ns)
{
    struct principal who = caller();
    struct macro m = definition(arena, store, o);
    enum standing standing;
    enum store_status status;
    struct wire_error e = { .retry_after_ms = -1 };
    struct evidence open = m.evidence[0];
    open.not_before_ns = INT64_MIN;
    open.expires_ns = INT64_MAX;
    m.evidence = &open;
    m.evidence_count = 1;
    bool asked_before = m.requires_confirmation;
    struct intent_call call = {
        .snapshot = snapshot, .who = &who, .clock_ns = at_ns, .store = store
    };
    if (!mgi_intent_stands(worker, &call, arena, &m, &standing, &status, &e))
        fail_msg("domain %" PRIu64 ": %s", number, e.message);
    const struct offered *there = find(then, o->tool);
    tally.asked++;
    tally.stood += standing == STANDING_HOLDS;
    bool same = there && str_eq(there->macro_id, o->macro_id);
    if (standing == STANDING_HOLDS && !same && (!there || !m.requires_confirmation)) {
        tally.ran++;
        tell("would run though it is not offered", o, at_ns);
    }
    if (standing != STANDING_HOLDS && same) {
        tally.refused++;
        tell("is refused though it is offered", o, at_ns);
    }
    assert_true(!asked_before || m.requires_confirmation);
}

static void judge(void)
{
    struct arena arena, step;
    struct store store;
    struct answer first, then;
    static struct instants list;
    mgi_arena_init(&arena, 0);
    mgi_arena_init(&step, 0);
    assert_true(mgi_store_memory(0, &store));
    evaluate(&arena, gen.at_ns, &store, &first);
    for (size_t i = 0; i < first.count; i++)
        read_window(&arena, &store, &first.tools[i]);
    list_instants(&first, &list);
    tally.tools += first.count;
    for (size_t i = 0; i < first.count; i++)
        tally.windows += first.tools[i].has_window;
    for (size_t i = 0; i < list.count && first.count > 0; i++) {
        mgi_arena_reset(&step);
        evaluate(&step, list.ns[i], NULL, &then);
        for (size_t t = 0; t < first.count; t++) {
            judge_window(&first.tools[t], &then, list.ns[i]);
            if (i % 7 == number % 7)
                judge_standing(&step, &store, &first.tools[t], &then, list.ns[i]);
        }
    }
    mgi_store_close(&store);
    mgi_arena_fini(&step);
    mgi_arena_fini(&arena);
}

static void test_no_window_holds_an_instant_at_which_the_tool_is_not_offered(void **state)
{
    const char *only = getenv("WINDOW"), *count = getenv("WINDOWS"), *from = getenv("FROM");
    uint64_t begin = from ? strtoull(from, NULL, 10) : 0;
    uint64_t end = only    ? strtoull(only, NULL, 10) + 1
                   : count ? strtoull(count, NULL, 10)
                           : test_rounds(40);
    (void)state;
    for (number = only ? end - 1 : begin; number < end; number++) {
        policy_gen(&gen, number);
        mgi_intent_worker_asks_always(worker, number % 2 == 0);
        if (load()) {
            tally.domains++;
            judge();
        }
        mgi_intent_worker_free(worker); /* it holds the snapshot */
        worker = mgi_intent_worker_new();
        mgi_snapshot_unref(snapshot);
        snapshot = NULL;
        policy_gen_end(&gen);
        assert_non_null(worker);
    }
    print_message("# %" PRIu64 " domains, %" PRIu64 " tools (%" PRIu64 " with a window): %" PRIu64
                  " instants inside, %" PRIu64
                  " at which the tool was not offered; asked again %" PRIu64 " times, %" PRIu64
                  " stood, %" PRIu64 " would have run wrongly, %" PRIu64 " were refused wrongly\n",
                  tally.domains, tally.tools, tally.windows, tally.instants, tally.late,
                  tally.asked, tally.stood, tally.ran, tally.refused);
    assert_int_equal(tally.late, 0); /* P-TOOL-17 */
    assert_int_equal(tally.ran, 0);
    assert_int_equal(tally.refused, 0);
    assert_true(only || tally.domains > (end - begin) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_window_holds_an_instant_at_which_the_tool_is_not_offered),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("intent/windows", tests, set_up, tear_down);
}
