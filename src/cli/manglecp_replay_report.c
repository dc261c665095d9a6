/* The report of a replay: see the header. Tools are listed by name, rules by file and line. */
#include "cli/manglecp_replay_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cli/cli_options.h"

static const char *const change_names[TOOL_CHANGES] = { "hidden", "shown", "changed" };

void mgi_replay_report_init(struct replay_report *r)
{
    *r = (struct replay_report){ .baseline = NULL };
    mgi_arena_init(&r->arena, 0);
    mgi_strmap_init(&r->tool_index);
}

void mgi_replay_report_fini(struct replay_report *r)
{
    mgi_strmap_fini(&r->tool_index);
    mgi_arena_fini(&r->arena);
}

/* ---- collecting ---------------------------------------------------------------------------- */

struct replay_tool *mgi_replay_tool(struct replay_report *r, struct str name)
{
    uint32_t at;
    if (mgi_strmap_get(&r->tool_index, name, &at))
        return &r->tools[at];
    struct str copy = mgi_arena_str(&r->arena, name);
    if (!copy.ptr ||
        !mgi_arena_grow(&r->arena, &r->tools, &r->tool_cap, r->tool_count + 1, sizeof *r->tools) ||
        !mgi_strmap_put(&r->tool_index, copy, (uint32_t)r->tool_count))
        return NULL;
    r->tools[r->tool_count] = (struct replay_tool){ .name = copy };
    return &r->tools[r->tool_count++];
}

static bool add_note(struct replay_report *r, struct replay_note **notes, size_t *count,
                     size_t *cap, const char *text)
{
    if (*count >= REPLAY_LISTED)
        return true;
    if (!text || !mgi_arena_grow(&r->arena, notes, cap, *count + 1, sizeof **notes))
        return false;
    (*notes)[(*count)++] = (struct replay_note){ text };
    return true;
}

bool mgi_replay_note_difference(struct replay_report *r, const char *text)
{
    return add_note(r, &r->differences, &r->difference_count, &r->difference_cap,
                    mgi_arena_strdup(&r->arena, text));
}

bool mgi_replay_note_damage(struct replay_report *r, const char *file, uint64_t line,
                            const char *why)
{
    r->damaged++;
    if (r->damage_count >= REPLAY_LISTED)
        return true;
    return add_note(r, &r->damages, &r->damage_count, &r->damage_cap,
                    mgi_arena_printf(&r->arena, "%s:%" PRIu64 ": %s", file, line, why));
}

/* ---- order --------------------------------------------------------------------------------- */

static int by_name(const void *x, const void *y)
{
    const struct replay_tool *const *a = x, *const *b = y;
    return mgi_str_compare((*a)->name, (*b)->name);
}

/* NULL: memory. */
static const struct replay_tool **sorted_tools(const struct replay_report *r)
{
    const struct replay_tool **list = malloc((r->tool_count + 1) * sizeof(struct replay_tool *));
    for (size_t i = 0; list && i < r->tool_count; i++)
        list[i] = &r->tools[i];
    if (list && r->tool_count > 1)
        qsort(list, r->tool_count, sizeof(struct replay_tool *), by_name);
    return list;
}

static bool tool_differs(const struct replay_tool *t)
{
    return t->changes[TOOL_HIDDEN] + t->changes[TOOL_SHOWN] + t->changes[TOOL_CHANGED] > 0;
}

/* Does it stand in one of the two alone, and did it have a part in a difference? */
static bool rule_differs(const struct replay_report *r, const struct replay_rule *rule)
{
    (void)r;
    return rule->before != rule->after && rule->differing > 0;
}

static size_t count_tools(const struct replay_report *r, enum tool_change change)
{
    size_t count = 0;
    for (size_t i = 0; i < r->tool_count; i++)
        count += r->tools[i].changes[change] > 0;
    return count;
}

/* ---- for people ---------------------------------------------------------------------------- */

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Names and reasons are the log's, and a terminal obeys what it is sent. */
static void print_shown(struct str s)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, s);
    printf("%s", shown.ptr && !shown.oom ? shown.ptr : "");
    mgi_buf_fini(&shown);
}

static void print_notes(const struct replay_note *notes, size_t count)
{
    for (size_t i = 0; i < count && i < REPLAY_SHOWN; i++) {
        printf("  ");
        print_shown(str_of(notes[i].text));
        printf("\n");
    }
}

static void print_read(const struct replay_report *r)
{
    printf("%zu record%s: %zu intent%s, %zu invocation%s", r->intents + r->invocations,
           plural(r->intents + r->invocations), r->intents, plural(r->intents), r->invocations,
           plural(r->invocations));
    if (r->lost > 0)
        printf("; %zu more were lost when it was written", r->lost);
    printf("\n");
    if (r->damaged > 0)
        printf("%zu damaged line%s:\n", r->damaged, plural(r->damaged));
    print_notes(r->damages, r->damage_count);
    if (r->damaged > REPLAY_SHOWN)
        printf("  and %zu more\n", r->damaged - REPLAY_SHOWN);
}

static void print_skipped(const struct replay_report *r)
{
    for (int why = REPLAY_FINE + 1; why < REPLAY_SKIPS; why++)
        if (r->skipped[why] > 0)
            printf("  %zu %s\n", r->skipped[why], mgi_replay_skip_text[why]);
}

static void print_tool_table(const struct replay_report *r, const struct cli_style *style)
{
    const struct replay_tool **tools = sorted_tools(r);
    if (!tools)
        return;
    printf("%s  hidden   shown changed  tool%s\n", style->bold, style->reset);
    for (size_t i = 0; i < r->tool_count; i++) {
        if (!tool_differs(tools[i]))
            continue;
        printf("%8zu%8zu%8zu  ", tools[i]->changes[TOOL_HIDDEN], tools[i]->changes[TOOL_SHOWN],
               tools[i]->changes[TOOL_CHANGED]);
        print_shown(tools[i]->name);
        printf("  %s", style->dim);
        print_shown(str_of(tools[i]->why ? tools[i]->why : ""));
        printf("%s\n", style->reset);
    }
    free(tools);
}

static void print_rule_table(const struct replay_report *r, const struct cli_style *style)
{
    bool any = false;
    for (size_t i = 0; i < r->rule_count; i++) {
        const struct replay_rule *rule = &r->rules[i];
        if (!rule_differs(r, rule))
            continue;
        if (!any)
            printf("%s   fired  rule%s\n", style->bold, style->reset);
        any = true;
        printf("%8zu  %s%s%s %s%s:%u:%s  %s\n", rule->differing,
               rule->after ? style->green : style->red, rule->after ? "+" : "-", style->reset,
               style->dim, rule->file, rule->line, style->reset, rule->text);
    }
}

static void print_differences(const struct replay_report *r, const struct cli_style *style)
{
    printf("%s would have hidden %zu tool%s in %zu of %zu decisions, shown %zu more and changed "
           "%zu\n",
           r->candidate, count_tools(r, TOOL_HIDDEN), plural(count_tools(r, TOOL_HIDDEN)),
           r->hidden_in, r->replayed, count_tools(r, TOOL_SHOWN), count_tools(r, TOOL_CHANGED));
    print_tool_table(r, style);
    print_rule_table(r, style);
    print_notes(r->differences, r->difference_count);
    if (r->different > REPLAY_SHOWN)
        printf("  and %zu more\n", r->different - REPLAY_SHOWN);
}

static void print_never(const struct replay_report *r, const struct cli_style *style)
{
    const struct replay_tool **tools = sorted_tools(r);
    size_t fired = 0, chosen = 0;
    for (size_t i = 0; i < r->rule_count; i++)
        fired += r->rules[i].fired > 0;
    for (size_t i = 0; i < r->tool_count; i++)
        chosen += r->tools[i].chosen > 0;
    printf("%zu of %zu rules fired, %zu of %zu tools were chosen\n", fired, r->rule_count, chosen,
           r->tool_count);
    for (size_t i = 0; i < r->rule_count; i++)
        if (r->rules[i].fired == 0)
            printf("  %snever fired%s  %s%s:%u:%s  %s\n", style->red, style->reset, style->dim,
                   r->rules[i].file, r->rules[i].line, style->reset, r->rules[i].text);
    for (size_t i = 0; tools && i < r->tool_count; i++) {
        if (tools[i]->invoked > 0 && tools[i]->chosen > 0)
            continue;
        printf("  %s%s%s ", tools[i]->chosen == 0 ? style->red : style->yellow,
               tools[i]->chosen == 0 ? "never chosen" : "never invoked", style->reset);
        print_shown(tools[i]->name);
        if (tools[i]->chosen > 0)
            printf(", chosen in %zu", tools[i]->chosen);
        printf("\n");
    }
    free(tools);
}

void mgi_replay_print(const struct replay_report *r)
{
    const struct cli_style *style = mgi_cli_style(stdout);
    print_read(r);
    if (!r->candidate)
        return;
    printf("%zu made again by %s: %zu as in %s, %zu different\n", r->replayed, r->candidate,
           r->same, r->baseline, r->different);
    if (r->masked > 0)
        printf("  %zu of those that differ had masked values: doubtful, they may be the same\n",
               r->masked);
    if (r->unkeyed > 0)
        printf("  of %zu the answer was not compared: its digest takes the key of the log (--key), "
               "or ids "
               "in it one of the server\n",
               r->unkeyed);
    print_skipped(r);
    if (r->different > 0)
        print_differences(r, style);
    if (r->coverage)
        print_never(r, style);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void write_notes(struct json_writer *w, const char *name, const struct replay_note *notes,
                        size_t count)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++)
        mgi_jw_cstring(w, notes[i].text);
    mgi_jw_end_array(w);
}

static void write_skipped(struct json_writer *w, const struct replay_report *r)
{
    static const char *const names[REPLAY_SKIPS] = { NULL,       "invocations", "unseen",
                                                     "digest",   "extension",   "signed",
                                                     "external", "world" };
    mgi_jw_key(w, "skipped");
    mgi_jw_begin_object(w);
    for (int why = REPLAY_FINE + 1; why < REPLAY_SKIPS; why++)
        mgi_jw_member_int(w, names[why], (int64_t)r->skipped[why]);
    mgi_jw_end_object(w);
}

static void write_tools_replayed(struct json_writer *w, const struct replay_report *r)
{
    const struct replay_tool **tools = sorted_tools(r);
    w->out->oom |= !tools;
    mgi_jw_key(w, "tools");
    mgi_jw_begin_array(w);
    for (size_t i = 0; tools && i < r->tool_count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "tool", tools[i]->name);
        for (int c = 0; c < TOOL_CHANGES; c++)
            mgi_jw_member_int(w, change_names[c], (int64_t)tools[i]->changes[c]);
        mgi_jw_member_int(w, "chosen", (int64_t)tools[i]->chosen);
        mgi_jw_member_int(w, "invoked", (int64_t)tools[i]->invoked);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    free(tools);
}

static void write_rules_replayed(struct json_writer *w, const struct replay_report *r)
{
    mgi_jw_key(w, "rules");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < r->rule_count; i++) {
        const struct replay_rule *rule = &r->rules[i];
        if (!r->coverage && !rule_differs(r, rule))
            continue;
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "file", rule->file);
        mgi_jw_member_int(w, "line", rule->line);
        mgi_jw_member_cstr(w, "rule", rule->text);
        mgi_jw_member_bool(w, "before", rule->before);
        mgi_jw_member_bool(w, "after", rule->after);
        mgi_jw_member_int(w, "fired", (int64_t)rule->fired);
        mgi_jw_member_int(w, "differing", (int64_t)rule->differing);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

bool mgi_replay_print_json(const struct replay_report *r)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 2);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "baseline", r->baseline);
    mgi_jw_member_cstr(&w, "candidate", r->candidate);
    mgi_jw_member_int(&w, "intents", (int64_t)r->intents);
    mgi_jw_member_int(&w, "invocations", (int64_t)r->invocations);
    mgi_jw_member_int(&w, "lost", (int64_t)r->lost);
    mgi_jw_member_int(&w, "damaged", (int64_t)r->damaged);
    write_notes(&w, "damages", r->damages, r->damage_count);
    mgi_jw_member_int(&w, "replayed", (int64_t)r->replayed);
    mgi_jw_member_int(&w, "same", (int64_t)r->same);
    mgi_jw_member_int(&w, "different", (int64_t)r->different);
    mgi_jw_member_int(&w, "masked", (int64_t)r->masked);
    mgi_jw_member_int(&w, "unkeyed", (int64_t)r->unkeyed);
    mgi_jw_member_int(&w, "hidden_in", (int64_t)r->hidden_in);
    write_skipped(&w, r);
    write_tools_replayed(&w, r);
    write_rules_replayed(&w, r);
    write_notes(&w, "differences", r->differences, r->difference_count);
    mgi_jw_end_object(&w);
    bool whole = !text.oom;
    if (whole)
        puts(text.ptr);
    mgi_buf_fini(&text);
    return whole;
}
