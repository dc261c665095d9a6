/* What only a server with other settings shows, or one that is caught at its beginning or end:
 * variants.h starts it anew, over standard input and output. */
#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/time.h"
#include "conformance/conformance_int.h"
#include "conformance/variants.h"
#include "sys/clock.h"

/* The wire of a server with these edits, past its manifest and logged in. NULL: it has failed. */
static struct wire *start(struct probe *p, const struct variant *v, const char **folder)
{
    struct buf why = { 0 };
    struct wire *w = NULL;
    p->apart = true;
    *folder = mgi_variant_write(&p->memory, v, &why);
    const char *const *command =
        *folder ? mgi_variant_command(&p->memory, p->options->command, *folder) : NULL;
    if (command)
        w = mgi_probe_start(p, command, p->options->token);
    else
        mgi_probe_fail(p, "%s", why.ptr ? why.ptr : "no memory");
    mgi_buf_fini(&why);
    return w;
}

static void stop(struct wire *w, const char *folder)
{
    mgi_wire_close(w);
    mgi_variant_remove(folder);
}

static const struct json *say_on(struct probe *p, struct wire *w, const char *text)
{
    return w && mgi_probe_say(p, w, text) ? mgi_probe_answer(p, w) : NULL;
}

#define ASK(intent) REQUEST("intent_request", "{'intent':{'name':'" intent "'}}")
#define ECHO_AT_NOON                                                                               \
    REQUEST("intent_request",                                                                      \
            "{'intent':{'name':'fx.echo'},'facts':[" BASIC "],'eval_time':'" NOON "'}")
#define SETTING(text)                                                                              \
    {                                                                                              \
        "domain.yaml", "", text, 0                                                                 \
    }

/* ---- settings -------------------------------------------------------------------------------- */

static void play_other_cut_offs(struct probe *p)
{
    static const struct variant v = { { SETTING(
        "disclosure: {full: 90, condensed: 60, minimal: 30}\n") } };
    static const struct {
        const char *tool, *level;
    } rows[] = { { "fx_rank_95", "full" },      { "fx_rank_75", "condensed" },
                 { "fx_rank_70", "condensed" }, { "fx_rank_45", "minimal" },
                 { "fx_rank_39", "minimal" },   { "fx_rank_25", NULL } };
    const char *folder;
    struct wire *w = start(p, &v, &folder);
    const struct json *answer = say_on(p, w, ASK("fx.rank"));
    for (size_t i = 0; w && i < sizeof rows / sizeof *rows; i++) {
        const struct json *tool = mgi_tool_in(answer, rows[i].tool);
        mgi_probe_expect(
            p, rows[i].level ? mgi_is_at(tool, "/disclosure_level", rows[i].level) : !tool,
            "%s is not %s", rows[i].tool, rows[i].level ? rows[i].level : "left out");
    }
    stop(w, folder);
}

/* Not a long run, and nothing else suffers. */
static void play_strict(struct probe *p)
{
    static const struct variant v = { { { "domain.yaml", "  allow_dangerous: true\n",
                                          "  allow_dangerous: true\n  strict: true\n", 0 } } };
    const char *folder;
    struct wire *w = start(p, &v, &folder);
    int64_t begun_ns = mgi_clock_mono_ns();
    mgi_probe_refused(p, say_on(p, w, ASK("fx.runaway")), "invalid_temporal_pattern");
    mgi_probe_expect(p, mgi_clock_mono_ns() - begun_ns < 2000 * NS_PER_MS, "it took too long");
    mgi_probe_expect(p, mgi_tool_in(say_on(p, w, GOOD), "fx_echo"), "other intents are not served");
    stop(w, folder);
}

/* Without what differs from time to time, and without diagnostics. */
static const char *undiagnosed(struct probe *p, const struct json *answer)
{
    const struct json *d = mgi_at(answer, "/payload/diagnostics");
    struct buf text = { 0 };
    char *gist = mgi_arena_strdup(&p->memory, mgi_gist(p, answer));
    if (d)
        mgi_json_canonical(&text, d);
    char *at = gist && text.len ? strstr(gist, text.ptr) : NULL;
    if (at)
        memmove(at, at + text.len, strlen(at + text.len) + 1);
    mgi_buf_fini(&text);
    char *key = gist ? strstr(gist, "\"diagnostics\":") : NULL;
    if (key) {
        size_t len = strlen("\"diagnostics\":") + (key[14] == ',');
        memmove(key, key + len, strlen(key + len) + 1);
    }
    return gist ? gist : "";
}

static void play_coverage_on(struct probe *p)
{
    static const struct variant v = { { SETTING("coverage: true\n") } };
    const char *folder;
    const char *plain = undiagnosed(p, mgi_probe_ask(p, ECHO_AT_NOON));
    struct wire *w = start(p, &v, &folder);
    const struct json *answer = say_on(p, w, ECHO_AT_NOON);
    const struct json *c = mgi_at(answer, "/payload/diagnostics/rule_coverage");
    mgi_probe_expect(p, mgi_int_at(c, "/total_rules") > 0 && mgi_int_at(c, "/rules_fired") > 0,
                     "no coverage is told");
    mgi_probe_expect(p, strcmp(plain, undiagnosed(p, answer)) == 0,
                     "diagnostics change the rest of the answer");
    stop(w, folder);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void play_other_rule(struct probe *p)
{
    static const struct variant v = { { { "rules/domain/10_tools.mg", "\"fx.rank\", 95)",
                                          "\"fx.echo\", 95)", 0 } } };
    const char *folder;
    struct wire *w = start(p, &v, &folder);
    mgi_probe_expect(p, mgi_tool_in(say_on(p, w, GOOD), "fx_rank_95"), "the new rule does nothing");
    const struct json *rank = say_on(p, w, ASK("fx.rank"));
    mgi_probe_expect(p, rank && !mgi_tool_in(rank, "fx_rank_95"), "the old rule still holds");
    stop(w, folder);
}

/* What no rule may switch off. */
static void expect_checks(struct probe *p, struct wire *w)
{
    const char *seeds = mgi_repeat(p, "{'pred':'fx_seed','args':[%d]}", 10);
    const char *much = mgi_arena_printf(
        &p->memory,
        REQUEST(
            "intent_request",
            "{'intent':{'name':'fx.blowup'},'facts':[%s],'constraints':{'max_facts_created':10}}"),
        seeds);
    mgi_probe_refused(p,
                      say_on(p, w,
                             "{'type':'intent_request','id':'$ID','manglecp':'1999-01-draft'"
                             ",'payload':{}}"),
                      "unsupported_version");
    mgi_probe_refused(p, say_on(p, w, REQUEST("intent_request", "{'intent':{'name':7}}")),
                      "malformed_message");
    mgi_probe_refused(p,
                      say_on(p, w,
                             REQUEST("intent_request", "{'intent':{'name':'fx.rank'},'facts':["
                                                       "{'pred':'_manglecp_x','args':[]}]}")),
                      "reserved_predicate");
    mgi_probe_refused(p, much ? say_on(p, w, much) : NULL, "derivation_limit_exceeded");
    mgi_probe_refused(p, say_on(p, w, REQUEST("invoke_request", "{'macro_id':'x','args':{}}")),
                      "macro_not_found");
    mgi_probe_expect(p, mgi_tool_in(say_on(p, w, GOOD), "fx_echo"), "nothing is served");
}

static void play_no_policy(struct probe *p)
{
    static const struct variant v = { { { "rules/policy/10_policy.mg", NULL,
                                          "# Nothing is forbidden.\n", 0 } } };
    const char *folder;
    struct wire *w = start(p, &v, &folder);
    expect_checks(p, w);
    const struct json *hidden = say_on(p, w, ASK("fx.hidden"));
    mgi_probe_expect(p, mgi_tool_in(hidden, "fx_hidden"), "a rule that is gone still holds");
    if (p->options->token) {
        struct wire *nobody =
            mgi_probe_start(p, mgi_variant_command(&p->memory, p->options->command, folder), NULL);
        mgi_probe_refused(p, say_on(p, nobody, GOOD), "auth_required");
        mgi_wire_close(nobody);
    }
    stop(w, folder);
}

static void play_permissive(struct probe *p)
{
    static const struct variant v = { {
        { "rules/policy/10_policy.mg", NULL, "has_privilege(Tool) :- tool(Tool).\n", 0 },
        { "domain.yaml", "  max_compute_ms: 10000\n",
          "  max_compute_ms: 60000\n  max_derived_facts: 10000000\n", 0 },
    } };
    const char *folder;
    struct wire *w = start(p, &v, &folder);
    expect_checks(p, w);
    stop(w, folder);
}

/* ---- the beginning and the end --------------------------------------------------------------- */

/* So many facts that loading them can be seen. */
#define MANY                                                                                       \
    {                                                                                              \
        "facts/fx_many.csv", NULL, "%u,x\n", 400000                                                \
    }
#define DECLARED                                                                                   \
    {                                                                                              \
        "rules/domain/90_many.mg", NULL, "Decl fx_many(N, X) bound [/number, /string].\n", 0       \
    }

#define LOGIN REQUEST("authenticate", "{'scheme':'bearer','token':'%s'}")

static void await_ready(struct probe *p, struct wire *w)
{
    int64_t until_ns = mgi_clock_mono_ns() + p->options->timeout_ms * NS_PER_MS;
    const struct json *m = NULL;
    do
        m = mgi_probe_hear(p, w, p->options->timeout_ms, NULL);
    while (m && !mgi_is_at(m, "/payload/status", "ready") && mgi_clock_mono_ns() < until_ns);
    mgi_probe_expect(p, mgi_is_at(m, "/payload/status", "ready"), "no ready manifest followed");
}

static void meet_booting(struct probe *p, struct wire *w)
{
    const struct json *m = mgi_probe_hear(p, w, p->options->timeout_ms, NULL);
    if (!mgi_is_at(m, "/payload/status", "booting")) {
        mgi_probe_is(p, m, "manifest");
        mgi_probe_skip(p, "the server has booted before it speaks");
        return;
    }
    if (p->options->token) /* who it is may be asked first, and may have to wait, too */
        (void)say_on(p, w, mgi_arena_printf(&p->memory, LOGIN, p->options->token));
    const struct json *answer = say_on(p, w, GOOD);
    if (!mgi_probe_refused(p, answer, "server_not_ready"))
        return;
    mgi_probe_expect(p,
                     mgi_is_at(answer, "/payload/recoverable", "true") &&
                         mgi_int_at(answer, "/payload/retry_after_ms") > 0,
                     "no retry_after_ms, or it is not recoverable");
    await_ready(p, w);
    if (p->options->token)
        (void)mgi_probe_login(p, w, p->options->token);
    mgi_probe_expect(p, mgi_tool_in(say_on(p, w, GOOD), "fx_echo"), "it is not served afterwards");
}

static void play_booting(struct probe *p)
{
    static const struct variant v = { { DECLARED, MANY } };
    struct buf why = { 0 };
    const char *folder = mgi_variant_write(&p->memory, &v, &why);
    const char *const *command =
        folder ? mgi_variant_command(&p->memory, p->options->command, folder) : NULL;
    struct wire *w = command ? mgi_wire_spawn(command, &why) : NULL;
    if (w)
        meet_booting(p, w);
    else
        mgi_probe_fail(p, "%s", why.ptr ? why.ptr : "no memory");
    mgi_buf_fini(&why);
    stop(w, folder);
}

struct end_of_life {
    bool draining, slow_answered, refused, refused_invocation;
};

static void note_end(struct probe *p, struct end_of_life *e, const struct json *m)
{
    e->draining |= mgi_is_at(m, "/payload/status", "draining");
    if (mgi_is_at(m, "/id", "slow") && !mgi_is_at(m, "/type", "progress"))
        e->slow_answered = mgi_is_at(m, "/type", "invoke_response");
    if (mgi_is_at(m, "/id", "late"))
        e->refused = mgi_probe_refused(p, m, "server_not_ready");
    if (mgi_is_at(m, "/id", "later"))
        e->refused_invocation = mgi_probe_refused(p, m, "server_not_ready");
}

#define LATE(type, id, payload)                                                                    \
    "{'type':'" type "','id':'" id "','manglecp':'" VERSION_TEXT "','payload':" payload "}"

/* SIGTERM while fx_slow runs: it may end, and what comes later is refused. */
static void drain(struct probe *p, struct wire *w)
{
    struct end_of_life e = { 0 };
    enum heard end = HEARD_MESSAGE;
    const struct json *tools = say_on(
        p, w,
        REQUEST("intent_request",
                "{'intent':{'name':'fx.after'},'options':{'disclosure_preference':'full'}}"));
    const char *slow = mgi_arena_printf(
        &p->memory, LATE("invoke_request", "slow", "{'macro_id':'%.*s','args':{'size':250}}"),
        STR_ARG(mgi_text_at(mgi_tool_in(tools, "fx_slow"), "/macro_id")));
    if (!slow || !mgi_probe_say(p, w, slow))
        return;
    (void)mgi_probe_hear(p, w, 100, &end); /* perhaps its progress */
    if (w->child > 0)
        kill((pid_t)w->child, SIGTERM);
    while (!e.draining && !e.slow_answered) {
        const struct json *m = mgi_probe_hear(p, w, p->options->timeout_ms, &end);
        if (!m)
            break;
        note_end(p, &e, m);
    }
    if (!e.draining) {
        mgi_probe_skip(p, "SIGTERM ends it without draining");
        return;
    }
    (void)mgi_probe_say(p, w, LATE("intent_request", "late", ECHO_INTENT));
    (void)mgi_probe_say(p, w, LATE("invoke_request", "later", "{'macro_id':'x','args':{}}"));
    for (const struct json *m; (m = mgi_probe_hear(p, w, p->options->timeout_ms, &end));)
        note_end(p, &e, m);
    mgi_probe_expect(p, e.slow_answered, "what ran has no answer");
    mgi_probe_expect(p, e.refused && e.refused_invocation, "later requests are not refused");
    mgi_probe_expect(p, end == HEARD_END, "it does not end");
}

static void play_draining(struct probe *p)
{
    const char *folder;
    struct wire *w = start(p, NULL, &folder);
    if (w)
        drain(p, w);
    stop(w, folder);
}

const struct test_case mgi_cases_variants[] = {
    { "P-DISC-LVL-8", "other cut-offs, other levels", OVER_STDIO, NEEDS_VARIANTS,
      play_other_cut_offs },
    { "P-EVAL-7", "dangerous recursion is refused where that is set", OVER_STDIO, NEEDS_VARIANTS,
      play_strict },
    { "P-COV-3 P-COV-1 P-EVAL-15", "coverage is told where that is set, and changes nothing else",
      OVER_STDIO, NEEDS_VARIANTS, play_coverage_on },
    { "P-EVAL-16", "another rule alone brings other tools", OVER_STDIO, NEEDS_VARIANTS,
      play_other_rule },
    { "P-POLICY-1", "without rules of policy the protocol's checks hold", OVER_STDIO,
      NEEDS_VARIANTS, play_no_policy },
    { "P-POLICY-2", "neither rules that permit everything nor settings lift them", OVER_STDIO,
      NEEDS_VARIANTS, play_permissive },
    { "P-READY-2 P-READY-4 P-MAN-30", "a server that boots refuses, and says when it is ready",
      OVER_STDIO, NEEDS_VARIANTS, play_booting },
    { "P-READY-9 P-READY-10 P-MAN-30", "a server that drains finishes what runs and refuses more",
      OVER_STDIO, NEEDS_VARIANTS, play_draining },
    { 0 },
};
