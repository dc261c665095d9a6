/* Stages and rules of one evaluation. It is written down while the worker's counters are there, and
 * printed when the answer was. */
#include "cli/manglecp_profile.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/cli_options.h"
#include "cli/cli_rules.h"

static void print_stages(FILE *to, const struct intent_costs *costs)
{
    int64_t sum = 0;
    for (int i = 0; i < INTENT_STAGES; i++)
        sum += costs->stages_ns[i];
    for (int i = 0; i < INTENT_STAGES; i++)
        fprintf(to, "%-8s %9.3f ms %5.1f%%\n", mgi_intent_stage_name((enum intent_stage)i),
                (double)costs->stages_ns[i] / 1e6,
                sum ? 100.0 * (double)costs->stages_ns[i] / (double)sum : 0.0);
    fprintf(to, "%-8s %9.3f ms\n", "time", (double)sum / 1e6);
}

static void write_rule(struct json_writer *w, const struct intent_costs *costs, size_t rule)
{
    struct mangle_rule_view view = mangle_program_rule(costs->snapshot->program, rule);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "rule", view.text);
    mgi_jw_member_cstr(w, "file", view.file);
    mgi_jw_member_int(w, "line", view.line);
    mgi_rules_members(w, costs->profile, rule);
    mgi_jw_end_object(w);
}

static void write_json(FILE *to, const struct intent_costs *costs)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "stages_ns");
    mgi_jw_begin_object(&w);
    for (int i = 0; i < INTENT_STAGES; i++)
        mgi_jw_member_int(&w, mgi_intent_stage_name((enum intent_stage)i), costs->stages_ns[i]);
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "rules");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < mangle_program_rule_count(costs->snapshot->program); i++)
        write_rule(&w, costs, i);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    if (!text.oom)
        fprintf(to, "%s\n", text.ptr);
    mgi_buf_fini(&text);
}

void mgi_intent_profile_take(void *context, const struct intent_costs *costs)
{
    struct intent_profile *p = context;
    free(p->text);
    p->text = NULL;
    FILE *to = open_memstream(&p->text, &p->len);
    if (!to)
        return;
    if (p->json) {
        write_json(to, costs);
    } else {
        print_stages(to, costs);
        mgi_rules_table(to, costs->profile, RULES_SHOWN);
    }
    if (fclose(to) != 0) {
        free(p->text);
        p->text = NULL;
    }
}

bool mgi_intent_profile_print(struct intent_profile *p)
{
    bool told = p->text != NULL;
    if (told)
        fputs(p->text, stderr);
    free(p->text);
    p->text = NULL;
    return told;
}
