/* manglecp replay: the decisions of a log made again. By the same snapshot they come out the same,
 * byte for byte; by another one, what would have been different is summed up. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/manglecp_commands.h"
#include "cli/manglecp_host.h"
#include "cli/manglecp_replay_files.h"
#include "cli/manglecp_replay_report.h"
#include "service/load.h"

const struct cli_command mgi_command_replay = {
    .name = "manglecp replay",
    .usage = "LOG [--domain FOLDER] [--against OTHER-FOLDER] [OPTIONS]",
    .help = "Make the decisions of a decision log again, by the same rules or by others.",
    .run = mgi_run_replay,
    .more =
        "LOG is read with what rotation put beside it, oldest first; - is standard input.\n"
        "--domain alone compares what is decided now with what was recorded; --against compares\n"
        "another folder with --domain or, without it, with the record. Nothing is executed.\n"
        "\n"
        "Exit status: 0 nothing differs and no line is damaged, 1 something does or is (also if\n"
        "it is doubtful, because values are masked), or a domain does not load, 2 usage, a log\n"
        "that cannot be read, memory that ran out.\n",
};

struct side { /* one domain that decides */
    struct host_options host;
    struct arena arena;
    struct snapshot *snapshot;
    struct judge judge;
    uint32_t
        *rule_of; /* by rule of the program: its place in report.rules; UINT32_MAX: not its own */
};

struct replay {
    struct replay_report report;
    struct side sides[2];        /* baseline (if it is a domain), candidate */
    struct side *before, *after; /* NULL: none */
    struct strmap rule_index;
    struct arena decision; /* of one record */
    bool nomem;
};

/* ---- rules --------------------------------------------------------------------------------- */

static bool is_own_rule(const struct mangle_rule_view *v)
{
    return mgi_str_starts(str_of(v->file), STR_LIT("rules/")) &&
           !mgi_str_starts(str_of(v->file), STR_LIT("rules/effects/")); /* of invocations */
}

/* Enter the rules of one side; those with the same text are the same. False: memory. */
static bool enter_rules(struct replay *r, struct side *side)
{
    struct replay_report *report = &r->report;
    size_t count = side->judge.rule_count;
    side->rule_of = mgi_arena_calloc(&report->arena, count + 1, sizeof *side->rule_of);
    for (size_t i = 0; side->rule_of && i < count; i++) {
        struct mangle_rule_view v = mangle_program_rule(side->snapshot->program, i);
        uint32_t at = (uint32_t)report->rule_count;
        side->rule_of[i] = UINT32_MAX;
        if (!is_own_rule(&v))
            continue;
        if (!mgi_strmap_get(&r->rule_index, str_of(v.text), &at)) {
            if (!mgi_arena_grow(&report->arena, &report->rules, &report->rule_cap,
                                report->rule_count + 1, sizeof *report->rules) ||
                !mgi_strmap_put(&r->rule_index, str_of(v.text), at))
                return false;
            report->rules[report->rule_count++] =
                (struct replay_rule){ .text = v.text, .file = v.file, .line = v.line };
        }
        side->rule_of[i] = at;
        report->rules[at].before |= side == r->before;
        report->rules[at].after |= side == r->after;
    }
    return side->rule_of != NULL;
}

static void count_rules(struct replay *r, const struct side *side, bool differs)
{
    for (size_t i = 0; i < side->judge.rule_count; i++) {
        uint32_t at = side->rule_of[i];
        if (at == UINT32_MAX || side->judge.fired[i] == 0)
            continue;
        struct replay_rule *rule = &r->report.rules[at];
        rule->fired += side == r->after;
        rule->differing += differs && (side == r->after || !rule->after);
    }
}

/* ---- one decision -------------------------------------------------------------------------- */

static bool count_chosen(struct replay *r, const struct json *outcome)
{
    const struct json *tools = mgi_json_get(outcome, "tools");
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count; i++) {
        const struct json *name = mgi_json_get(&tools->items[i], "tool");
        struct replay_tool *tool =
            name && name->type == JSON_STRING ? mgi_replay_tool(&r->report, name->string) : NULL;
        if (!tool)
            return false;
        tool->chosen++;
    }
    return true;
}

/* "run-17 2026-…: fx.echo by ann: hidden fx_echo (prohibited: …)". */
static bool tell_difference(struct replay *r, const struct decision *d,
                            const struct outcome_difference *diff)
{
    static const char *const names[] = { "hidden", "shown", "changed" };
    struct buf text = { 0 };
    bool doubtful = !r->before && d->masked > 0;
    if (r->report.difference_count >= REPLAY_LISTED)
        return true;
    mgi_buf_printf(&text, "%.*s %.*s:%s", STR_ARG(d->id), STR_ARG(d->intent),
                   doubtful ? " doubtful, values are masked:" : "");
    for (size_t i = 0; i < diff->count; i++)
        mgi_buf_printf(&text, "%s %s %.*s (%s)", i > 0 ? "," : "", names[diff->tools[i].change],
                       STR_ARG(diff->tools[i].tool), diff->tools[i].what);
    if (diff->what)
        mgi_buf_printf(&text, "%s %s", diff->count > 0 ? ";" : "", diff->what);
    bool ok = !text.oom && mgi_replay_note_difference(&r->report, text.ptr);
    mgi_buf_fini(&text);
    return ok;
}

static bool count_difference(struct replay *r, const struct decision *d,
                             const struct outcome_difference *diff)
{
    bool hidden = false;
    r->report.different++;
    for (size_t i = 0; i < diff->count; i++) {
        struct replay_tool *tool = mgi_replay_tool(&r->report, diff->tools[i].tool);
        if (!tool)
            return false;
        tool->changes[diff->tools[i].change]++;
        if (!tool->why)
            tool->why = mgi_arena_strdup(&r->report.arena, diff->tools[i].what);
        hidden |= diff->tools[i].change == TOOL_HIDDEN;
    }
    r->report.hidden_in += hidden;
    return tell_difference(r, d, diff);
}

/* False: memory. */
static bool replay_intent(struct replay *r, const struct decision *d)
{
    struct outcome_difference diff;
    bool external = false, asks = false;
    const struct json *before =
        r->before ? mgi_judge_again(&r->before->judge, d, &r->decision, &external) : d->outcome;
    const struct json *after = mgi_judge_again(&r->after->judge, d, &r->decision, &asks);
    if (external || asks) {
        r->report.skipped[REPLAY_EXTERNAL]++;
        return true;
    }
    if (!before || !after)
        return false;
    bool exact =
        str_eq(r->before ? r->before->snapshot->digest : d->snapshot, r->after->snapshot->digest);
    bool differs = mgi_judge_compare(&r->decision, before, after, exact, &diff);
    bool doubtful = differs && !r->before && d->masked > 0;
    r->report.replayed++;
    r->report.same += !differs;
    r->report.unkeyed += exact && diff.unkeyed;
    r->report.masked += doubtful;
    count_rules(r, r->after, differs && !doubtful);
    if (r->before)
        count_rules(r, r->before, differs);
    if (!count_chosen(r, after))
        return false;
    if (doubtful) {
        r->report.different++;
        return tell_difference(r, d, &diff);
    }
    return !differs || count_difference(r, d, &diff);
}

static bool take_decision(struct replay *r, const struct decision *d)
{
    enum replay_skip skip = mgi_replay_skip(d);
    if (d->kind == DECISION_LOST) {
        r->report.lost += d->lost;
        return true;
    }
    if (d->kind == DECISION_CONSENT) /* a person's: no rule made it */
        return true;
    r->report.intents += d->kind == DECISION_INTENT;
    r->report.invocations += d->kind == DECISION_INVOCATION;
    if (d->kind == DECISION_INVOCATION && d->tool.len > 0) {
        struct replay_tool *tool = mgi_replay_tool(&r->report, d->tool);
        if (!tool)
            return false;
        tool->invoked++;
    }
    if (skip)
        r->report.skipped[skip]++;
    return skip || !r->after || replay_intent(r, d);
}

static bool take_line(void *context, const char *file, uint64_t number, struct str text)
{
    struct replay *r = context;
    struct decision d;
    const char *why;
    mgi_arena_reset(&r->decision);
    if (!mgi_decision_read(&r->decision, text, &d, &why)) {
        r->nomem |= r->decision.oom;
        return mgi_replay_note_damage(&r->report, file, number, why);
    }
    r->nomem |= !take_decision(r, &d);
    return !r->nomem;
}

static void take_damage(void *context, const char *file, uint64_t number, const char *why)
{
    struct replay *r = context;
    r->nomem |= !mgi_replay_note_damage(&r->report, file, number, why);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* EXIT_ANSWERED, or messages were printed. */
static int open_side(struct side *side, struct str key)
{
    int status = EXIT_ANSWERED;
    side->snapshot = mgi_host_load(&side->host, &side->arena, &status);
    if (!side->snapshot)
        return status;
    return mgi_judge_init(&side->judge, side->snapshot, key) ? EXIT_ANSWERED : EXIT_USAGE;
}

/* Which folder is which: with --against, --domain is what it is compared with. */
static int open_sides(struct replay *r, const char *domain, const char *against, struct str key)
{
    r->sides[0].host.domain = domain;
    r->sides[1].host.domain = against ? against : domain;
    r->before = domain && against ? &r->sides[0] : NULL;
    r->after = domain || against ? &r->sides[1] : NULL;
    r->report.candidate = r->sides[1].host.domain;
    r->report.baseline = r->before ? domain : "the log";
    int status = r->before ? open_side(r->before, key) : EXIT_ANSWERED;
    if (!status && r->after)
        status = open_side(r->after, key);
    if (status)
        return status;
    bool ok = (!r->before || enter_rules(r, r->before)) && (!r->after || enter_rules(r, r->after));
    for (size_t i = 0; ok && r->after && i < r->after->snapshot->tool_count; i++)
        ok = mgi_replay_tool(&r->report, r->after->snapshot->tools[i].name) != NULL;
    return ok ? EXIT_ANSWERED : EXIT_USAGE;
}

/* What the server's decision_log.key names; without it there is none. */
static bool load_key(struct replay *r, const char *file, struct str *out)
{
    *out = (struct str){ "", 0 };
    const char *why = file ? mgi_load_decision_key(file, &r->report.arena, out) : NULL;
    if (why)
        mgi_cli_error("%s: %s", file, why);
    return !why;
}

static int read_and_tell(struct replay *r, const char *log, bool json)
{
    struct replay_visitor v = { take_line, take_damage, r };
    if (!mgi_replay_read(log, &v))
        return EXIT_USAGE;
    bool told = !r->nomem;
    if (told && json)
        told = mgi_replay_print_json(&r->report);
    else if (told)
        mgi_replay_print(&r->report);
    if (!told) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    bool good = r->report.damaged == 0 && r->report.different == 0;
    return good ? EXIT_ANSWERED : EXIT_WRONG;
}

static void close_sides(struct replay *r)
{
    for (int i = 0; i < 2; i++) {
        mgi_judge_fini(&r->sides[i].judge);
        mgi_snapshot_unref(r->sides[i].snapshot);
        mgi_arena_fini(&r->sides[i].arena);
    }
}

int mgi_run_replay(int argc, char **argv)
{
    struct replay r = { .nomem = false };
    struct host_options host = { .ask = mgi_judge_asks_nobody };
    const char *domain = NULL, *against = NULL, *key_file = NULL;
    struct str key;
    bool json = false, coverage = false, helped;
    const struct cli_option options[] = {
        { "--domain", OPTION_TEXT, &domain, NULL, "FOLDER", "the domain that decided" },
        { "--against", OPTION_TEXT, &against, NULL, "FOLDER", "the one that would decide" },
        { "--coverage", OPTION_FLAG, &coverage, NULL, NULL,
          "rules that never fired, tools that were never chosen or invoked" },
        { "--key", OPTION_TEXT, &key_file, NULL, "FILE",
          "the key of the log, where values are masked" },
        { "--json", OPTION_FLAG, &json, NULL, NULL, "print JSON" },
        { "--set", OPTION_LIST, &host.set, NULL, "KEY=VALUE",
          "override a setting of domain.yaml, as the server did" },
        { "--plugins", OPTION_LIST, &host.plugin_paths, NULL, "DIR", "more folders of plugins" },
        { "--toolhost", OPTION_TEXT, &host.toolhost, NULL, "PROGRAM", "the plugin host to run" },
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_replay, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 1 || (coverage && !domain && !against)) {
        mgi_cli_error(words.count != 1 ? "replay needs one LOG"
                                       : "--coverage needs --domain or --against");
        return EXIT_USAGE;
    }
    mgi_replay_report_init(&r.report);
    r.report.coverage = coverage;
    mgi_strmap_init(&r.rule_index);
    mgi_arena_init(&r.decision, 0);
    for (int i = 0; i < 2; i++) {
        r.sides[i].host = host;
        mgi_arena_init(&r.sides[i].arena, 0);
    }
    int status = load_key(&r, key_file, &key) ? open_sides(&r, domain, against, key) : EXIT_USAGE;
    if (!status)
        status = read_and_tell(&r, words.items[0], json);
    mgi_strmap_fini(&r.rule_index);
    mgi_arena_fini(&r.decision);
    mgi_replay_report_fini(&r.report);
    close_sides(&r);
    return status;
}
