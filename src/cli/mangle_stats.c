/* What an answer took: lines for people, one JSON object for programs. */
#include "cli/mangle_stats.h"

#include <string.h>

#include "base/json.h"
#include "base/time.h"
#include "cli/cli_rules.h"

static const char *const phase_names[PHASE_COUNT] = { "read", "compile", "load", "evaluate" };

/* Is `name` one of "a,b,c"? */
static bool is_listed(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, len) == 0 && (at[len] == '\0' || at[len] == ','))
            return true;
    }
    return false;
}

/* It is evaluated, and meant. */
static bool is_meant(const struct mangle_pred_view *view, const char *selection)
{
    return view->stratum != UINT32_MAX &&
           (strcmp(selection, "all") == 0 || strcmp(selection, "json") == 0 ||
            is_listed(selection, view->name));
}

/* M-IO-27: what is evaluated together shares its time. */
static void print_durations(const struct input_options *options, const mangle_program *program,
                            const char *selection)
{
    bool any = false;
    for (size_t i = 0; i < mangle_program_pred_count(program); i++) {
        struct mangle_pred_view view = mangle_program_pred(program, (mangle_pred)i);
        struct buf duration = { 0 };
        if (!is_meant(&view, selection))
            continue;
        mgi_duration_print(&duration, options->stratum_ns[view.stratum]);
        fprintf(stderr, "[%s %s (stratum %u)]\n", view.name, mgi_buf_view(&duration).ptr,
                view.stratum);
        mgi_buf_fini(&duration);
        any = true;
    }
    if (!any)
        mgi_cli_hint("No predicate of the program is meant by --stats %s.", selection);
}

static struct phase_time whole(const struct input_options *options)
{
    struct phase_time sum = { 0 };
    for (int i = 0; i < PHASE_COUNT; i++) {
        sum.wall_ns += options->phases[i].wall_ns;
        sum.cpu_ns += options->phases[i].cpu_ns;
    }
    return sum;
}

static void print_phase(const char *name, struct phase_time t)
{
    fprintf(stderr, "%-14s %.3f s  %.3f s CPU\n", name, (double)t.wall_ns / 1e9,
            (double)t.cpu_ns / 1e9);
}

static void print_stages(const struct mangle_compile_times *t)
{
    fprintf(stderr, "  parse        %.3f s\n  check        %.3f s\n  plan         %.3f s\n",
            (double)t->parse_ns / 1e9, (double)t->check_ns / 1e9, (double)t->plan_ns / 1e9);
}

static void print_totals(const struct input_options *options, const struct mangle_stats *stats)
{
    fprintf(stderr,
            "facts given    %lld\nfacts derived  %lld\nrule firings   %lld\nrounds         %lld\n"
            "memory         %.1f MiB\n",
            (long long)stats->facts_given, (long long)stats->facts_derived,
            (long long)stats->rule_firings, (long long)stats->rounds,
            (double)stats->bytes / (1024 * 1024));
    for (int i = 0; i < PHASE_COUNT; i++) {
        print_phase(phase_names[i], options->phases[i]);
        if (i == PHASE_COMPILE)
            print_stages(&options->compile_times);
    }
    print_phase("time", whole(options));
}

/* ---- flame graphs ------------------------------------------------------------------------ */

static void print_self(const char *stack, int64_t ns)
{
    if (ns > 0)
        fprintf(stderr, "%s %lld\n", stack, (long long)ns);
}

/* What is done between rules (joining what is new, merging intervals) is the stratum's own. */
static void print_folded(const struct input_options *options, const mangle_program *program)
{
    int64_t left = options->phases[PHASE_EVALUATE].wall_ns;
    const struct mangle_compile_times *t = &options->compile_times;
    print_self("read", options->phases[PHASE_READ].wall_ns);
    print_self("compile;parse", t->parse_ns);
    print_self("compile;check", t->check_ns);
    print_self("compile;plan", t->plan_ns);
    print_self("compile",
               options->phases[PHASE_COMPILE].wall_ns - t->parse_ns - t->check_ns - t->plan_ns);
    print_self("load", options->phases[PHASE_LOAD].wall_ns);
    for (size_t s = 0; s < mangle_program_stratum_count(program); s++) {
        char stack[64];
        int64_t in_rules = mgi_rules_folded(stderr, options->profile, "evaluate", (uint32_t)s);
        snprintf(stack, sizeof stack, "evaluate;stratum %zu", s);
        print_self(stack, options->stratum_ns[s] - in_rules);
        left -= options->stratum_ns[s] > in_rules ? options->stratum_ns[s] : in_rules;
    }
    print_self("evaluate", left);
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void write_phase(struct json_writer *w, const char *name, struct phase_time t)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "wall_ns", t.wall_ns);
    mgi_jw_member_int(w, "cpu_ns", t.cpu_ns);
    mgi_jw_end_object(w);
}

static void write_preds(struct json_writer *w, const struct input_options *options,
                        const mangle_program *program, const char *selection)
{
    mgi_jw_key(w, "predicates");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < mangle_program_pred_count(program); i++) {
        struct mangle_pred_view view = mangle_program_pred(program, (mangle_pred)i);
        if (!is_meant(&view, selection))
            continue;
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "name", view.name);
        mgi_jw_member_int(w, "arity", view.arity);
        mgi_jw_member_int(w, "stratum", view.stratum);
        mgi_jw_member_int(w, "stratum_ns", options->stratum_ns[view.stratum]);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_rules(struct json_writer *w, const mangle_overlay *overlay,
                        const mangle_program *program, const mangle_profile *profile)
{
    mgi_jw_key(w, "rules");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < mangle_program_rule_count(program); i++) {
        struct mangle_rule_view rule = mangle_program_rule(program, i);
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "rule", rule.text);
        mgi_jw_member_cstr(w, "file", rule.file);
        mgi_jw_member_int(w, "line", rule.line);
        mgi_jw_member_int(w, "stratum", mangle_program_pred(program, rule.head).stratum);
        mgi_jw_member_int(w, "firings", mangle_overlay_firings(overlay, i));
        mgi_rules_members(w, profile, i);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_stats(struct json_writer *w, const struct input_options *options,
                        const struct mangle_stats *stats)
{
    mgi_jw_key(w, "phases");
    mgi_jw_begin_object(w);
    for (int i = 0; i < PHASE_COUNT; i++)
        write_phase(w, phase_names[i], options->phases[i]);
    mgi_jw_end_object(w);
    mgi_jw_key(w, "stages");
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "parse_ns", options->compile_times.parse_ns);
    mgi_jw_member_int(w, "check_ns", options->compile_times.check_ns);
    mgi_jw_member_int(w, "plan_ns", options->compile_times.plan_ns);
    mgi_jw_end_object(w);
    write_phase(w, "time", whole(options));
    mgi_jw_member_int(w, "facts_given", stats->facts_given);
    mgi_jw_member_int(w, "facts_derived", stats->facts_derived);
    mgi_jw_member_int(w, "rule_firings", stats->rule_firings);
    mgi_jw_member_int(w, "rounds", stats->rounds);
    mgi_jw_member_int(w, "bytes", (int64_t)stats->bytes);
}

void mgi_print_stats(const struct input_options *options, const mangle_overlay *overlay,
                     const mangle_program *program, const struct mangle_stats *stats,
                     const char *selection, bool json)
{
    if (strcmp(selection, "folded") == 0) {
        print_folded(options, program);
        return;
    }
    if (!json && strcmp(selection, "json") != 0) {
        print_durations(options, program, selection);
        mgi_rules_table(stderr, options->profile, RULES_SHOWN);
        print_totals(options, stats);
        return;
    }
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    write_stats(&w, options, stats);
    write_preds(&w, options, program, selection);
    write_rules(&w, overlay, program, options->profile);
    mgi_jw_end_object(&w);
    if (text.oom)
        mgi_cli_error("out of memory");
    else
        fprintf(stderr, "%s\n", text.ptr);
    mgi_buf_fini(&text);
}

void mgi_print_failed_stats(const struct input_options *options)
{
    if (options->profile)
        mgi_rules_table(stderr, options->profile, RULES_SHOWN);
}
