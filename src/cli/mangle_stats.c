/* What an answer took: lines for people, one JSON object for programs. */
#include "cli/mangle_stats.h"

#include <string.h>

#include "base/json.h"
#include "base/time.h"

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
           (strcmp(selection, "all") == 0 || is_listed(selection, view->name));
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

static void print_totals(const struct input_options *options, const struct mangle_stats *stats)
{
    fprintf(stderr,
            "facts given    %lld\nfacts derived  %lld\nrule firings   %lld\nrounds         %lld\n"
            "memory         %.1f MiB\n",
            (long long)stats->facts_given, (long long)stats->facts_derived,
            (long long)stats->rule_firings, (long long)stats->rounds,
            (double)stats->bytes / (1024 * 1024));
    for (int i = 0; i < PHASE_COUNT; i++)
        print_phase(phase_names[i], options->phases[i]);
    print_phase("time", whole(options));
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
                        const mangle_program *program)
{
    mgi_jw_key(w, "rules");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < mangle_program_rule_count(program); i++) {
        struct mangle_rule_view rule = mangle_program_rule(program, i);
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "rule", rule.text);
        mgi_jw_member_cstr(w, "file", rule.file);
        mgi_jw_member_int(w, "line", rule.line);
        mgi_jw_member_int(w, "firings", mangle_overlay_firings(overlay, i));
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
    if (!json) {
        print_durations(options, program, selection);
        print_totals(options, stats);
        return;
    }
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    write_stats(&w, options, stats);
    write_preds(&w, options, program, selection);
    write_rules(&w, overlay, program);
    mgi_jw_end_object(&w);
    if (text.oom)
        mgi_cli_error("out of memory");
    else
        fprintf(stderr, "%s\n", text.ptr);
    mgi_buf_fini(&text);
}
