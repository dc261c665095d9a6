/* The run: every case over the one transport of the target, one after the other, and what follows
 * from them for each requirement (conformance.h). */
#include "base/alloc.h"
#include "base/time.h"
#include "conformance/conformance_int.h"
#include "conformance/requirements.h"
#include "conformance/variants.h"
#include "sys/clock.h"

#define DEFAULT_TIMEOUT_MS  20000
#define DEFAULT_DEADLINE_MS 1800000

static const struct test_case *const groups[] = {
    mgi_cases_manifest,   mgi_cases_envelope, mgi_cases_http,
    mgi_cases_websocket,  mgi_cases_stdio,    mgi_cases_session,
    mgi_cases_facts,      mgi_cases_time,     mgi_cases_evaluation,
    mgi_cases_contracts,  mgi_cases_context,  mgi_cases_budget,
    mgi_cases_invocation, mgi_cases_outcome,  mgi_cases_consent,
    mgi_cases_auth,       mgi_cases_secrecy,  mgi_cases_proof,
    mgi_cases_variants,   mgi_cases_whole, /* last: it looks back */
};

/* ---- what is asked for ----------------------------------------------------------------------- */

/* Does one of its requirements bind at that level? */
static bool is_of_level(const char *ids, int level)
{
    for (struct str id; (id = mgi_next_id(&ids)).len > 0;) {
        const struct requirement *r = mgi_requirement(id);
        if (!r || r->level <= level)
            return true;
    }
    return false;
}

static bool is_wanted(const struct probe *p, const char *ids, const char *what, unsigned over)
{
    const char *only = p->options->only;
    return (over & p->carrier) && is_of_level(ids, p->report->level) &&
           (!only || strstr(ids, only) || strstr(what, only));
}

static const char *missing(const struct probe *p, unsigned needs)
{
    const struct conformance_options *o = p->options;
    if ((needs & NEEDS_AUTH) && !(o->token && mgi_is_at(&p->manifest, "/auth/required", "true")))
        return "the server wants no credentials, or --token is not given";
    if ((needs & NEEDS_OTHER) && !o->other_token)
        return "--other-token is not given";
    if ((needs & NEEDS_LIMITED) && !o->limited_token)
        return "--limited-token is not given";
    if ((needs & NEEDS_EXPIRED) && !o->expired_token)
        return "--expired-token is not given";
    if ((needs & NEEDS_KEY) && !o->confirm_key)
        return "--confirm-key is not given";
    if ((needs & NEEDS_TLS) && !(o->url && strstr(o->url, "s://")))
        return "the target does not speak TLS";
    if ((needs & NEEDS_VARIANTS) && !mgi_variant_possible(o->command))
        return "the command has no word {} for the folder";
    if ((needs & NEEDS_AUTOMATED) && !o->automated_token)
        return "--automated-token is not given";
    if ((needs & NEEDS_ORIGIN) && !o->origin)
        return "--origin is not given";
    return NULL;
}

/* ---- one case -------------------------------------------------------------------------------- */

static void reset(struct probe *p)
{
    mgi_arena_reset(&p->memory);
    mgi_buf_clear(&p->failure);
    p->failed = false;
    p->skipped = NULL;
    p->token = p->options->token;
    p->taken = 0;
    p->apart = false;
}

/* Why nothing is asked any more. NULL: there is no reason. */
static const char *given_up(const struct probe *p)
{
    if (p->silences >= SILENCES)
        return "not asked: the server leaves one question after another without an answer";
    if (mgi_clock_mono_ns() >= p->until_ns)
        return "not asked: the time of the run is over (--deadline-ms)";
    return NULL;
}

/* A case begins: true if it is to be played. */
static bool begin_case(struct probe *p, unsigned needs)
{
    const char *why = given_up(p);
    reset(p);
    p->skipped = missing(p, needs);
    if (why && !p->skipped)
        mgi_probe_fail(p, "%s", why);
    return !p->skipped && !p->failed;
}

/* What a case has seen counts only if the server serves a good message afterwards: or one that
 * refuses everything, or offers nothing, would hold whatever forbids. */
static void serves_on(struct probe *p)
{
    mgi_probe_quiet(p);
    p->token = p->options->token;
    if (!p->failed && !mgi_tool_in(mgi_probe_ask(p, GOOD), "fx_echo"))
        mgi_probe_fail(p, "the next good message is not served");
}

/* `asked`: the last id before the case. */
static bool conclude_case(struct probe *p, const char *ids, const char *what, uint64_t asked,
                          int64_t begun_ns)
{
    if (!p->failed && !p->skipped && p->next_id != asked)
        serves_on(p);
    int64_t took_ms = (mgi_clock_mono_ns() - begun_ns) / NS_PER_MS;
    if (p->failed)
        mgi_probe_drop(p);
    return mgi_report_keep(p->report, p->options, ids, what,
                           p->failed    ? OUTCOME_FAIL
                           : p->skipped ? OUTCOME_SKIPPED
                                        : OUTCOME_PASS,
                           p->failed    ? (p->failure.ptr ? p->failure.ptr : "no memory")
                           : p->skipped ? p->skipped
                                        : "",
                           took_ms);
}

static bool play_case(struct probe *p, const struct test_case *c)
{
    int64_t begun_ns = mgi_clock_mono_ns();
    uint64_t asked = p->next_id;
    if (!is_wanted(p, c->ids, c->what, c->over))
        return true;
    if (begin_case(p, c->needs))
        c->play(p);
    return conclude_case(p, c->ids, c->what, asked, begun_ns);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static bool is_one_of(struct str word, const char *alternatives)
{
    for (const char *at = alternatives; *at;) {
        size_t len = strcspn(at, "|");
        if (str_eq(word, (struct str){ at, len }))
            return true;
        at += len + (at[len] == '|');
    }
    return false;
}

static void judge_input(struct probe *p, const struct input_row *row, const struct json *answer)
{
    if (!row->code)
        mgi_probe_is(p, answer, "intent_response");
    else if (!mgi_probe_refused(p, answer, row->code))
        return;
    const struct json *id = mgi_at(answer, "/id");
    if (row->echo)
        mgi_probe_expect(p, mgi_is_at(answer, "/id", p->id), "its id is not echoed");
    else
        mgi_probe_expect(p, id && id->type == JSON_NULL, "its id is not null");
    struct str reason = mgi_text_at(answer, "/payload/details/reason");
    if (row->reason)
        mgi_probe_expect(p, is_one_of(reason, row->reason), "reason \"%.*s\", not %s",
                         STR_ARG(reason), row->reason);
    if (row->issue)
        mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/violations/0/issue", row->issue),
                         "the first violation is no %s", row->issue);
}

static bool play_row(struct probe *p, const struct input_row *row)
{
    int64_t begun_ns = mgi_clock_mono_ns();
    uint64_t asked = p->next_id;
    if (!is_wanted(p, row->ids, row->what, row->over))
        return true;
    if (begin_case(p, 0))
        judge_input(p, row, mgi_probe_ask(p, row->text));
    return conclude_case(p, row->ids, row->what, asked, begun_ns);
}

/* ---- choices --------------------------------------------------------------------------------- */

static void judge_choice(struct probe *p, const struct choice_row *row)
{
    const struct json *answer = mgi_probe_intent(p, row->intent, row->facts, row->more);
    if (row->code)
        mgi_probe_refused(p, answer, row->code);
    else
        mgi_probe_is(p, answer, "intent_response");
    const char *names = mgi_tool_names(p, answer);
    if (row->tools)
        mgi_probe_expect(p, strcmp(names, row->tools) == 0, "expected the tools %s, got %s",
                         row->tools, names);
}

static bool play_choice(struct probe *p, const struct choice_row *row)
{
    int64_t begun_ns = mgi_clock_mono_ns();
    uint64_t asked = p->next_id;
    if (!is_wanted(p, row->ids, row->what, OVER_ANY))
        return true;
    if (begin_case(p, 0))
        judge_choice(p, row);
    return conclude_case(p, row->ids, row->what, asked, begun_ns);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool play_all(struct probe *p)
{
    bool good = true;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        if (groups[g] == mgi_cases_facts)
            for (const struct input_row *r = mgi_input_rows; good && r->ids; r++)
                good = play_row(p, r);
        if (groups[g] == mgi_cases_facts)
            for (const struct input_row *r = mgi_input_fact_rows; good && r->ids; r++)
                good = play_row(p, r);
        if (groups[g] == mgi_cases_contracts)
            for (const struct choice_row *r = mgi_choice_rows; good && r->ids; r++)
                good = play_choice(p, r);
        for (const struct test_case *c = groups[g]; good && c->ids; c++)
            good = play_case(p, c);
    }
    return good;
}

static void close_probe(struct probe *p)
{
    mgi_probe_drop(p);
    mgi_judge_free(p->judge);
    mgi_address_fini(&p->manifest_url);
    mgi_address_fini(&p->intent_url);
    mgi_address_fini(&p->invoke_url);
    mgi_address_fini(&p->websocket_url);
    mgi_wire_reply_fini(&p->reply);
    mgi_buf_fini(&p->text);
    mgi_buf_fini(&p->failure);
    mgi_buf_fini(&p->everything);
    mgi_arena_fini(&p->memory);
    mgi_arena_fini(&p->life);
}

/* The suite's own folder for the word {}, if the command has it. */
static bool place_domain(struct probe *p, const char **folder, struct buf *why)
{
    p->command = p->options->command;
    if (!mgi_variant_possible(p->command))
        return true;
    *folder = mgi_variant_write(&p->life, NULL, why);
    p->command = *folder ? mgi_variant_command(&p->life, p->options->command, *folder) : NULL;
    return p->command != NULL;
}

bool mgi_conformance_run(const struct conformance_options *given, struct arena *arena,
                         struct conformance_report *out, struct buf *why)
{
    static const char *const types[] = { "manifest", "intent_response", "invoke_response",
                                         "progress", "error",           "authenticate_response" };
    struct conformance_options options = *given;
    struct probe p = { .options = &options, .report = out };
    options.timeout_ms = options.timeout_ms ? options.timeout_ms : DEFAULT_TIMEOUT_MS;
    options.deadline_ms = options.deadline_ms ? options.deadline_ms : DEFAULT_DEADLINE_MS;
    p.until_ns = mgi_clock_mono_ns() + options.deadline_ms * NS_PER_MS;
    *out = (struct conformance_report){ .level = options.level,
                                        .in_part = options.only != NULL,
                                        .arena = arena };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        p.kinds[i].type = types[i];
    mgi_arena_init(&p.life, 0);
    mgi_arena_init(&p.memory, 0);
    p.judge = mgi_judge_new();
    reset(&p);
    const char *folder = NULL;
    bool good = p.judge && place_domain(&p, &folder, why) && mgi_target_find(&p, why) &&
                play_all(&p) && mgi_report_conclude(out);
    mgi_variant_remove(folder);
    close_probe(&p);
    return good;
}
