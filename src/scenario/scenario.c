/* Running scenarios: YAML -> request -> mgi_intent_evaluate -> what was expected; then, if it says
 * so, an invocation. */
#include "scenario/scenario.h"

#include "base/time.h"
#include "domain/files.h"
#include "scenario/scenario_int.h"

#define STORE_BYTES (64u << 20)

static const char *const file_keys[] = { "clock", "external", "scenarios", NULL };
static const char *const scenario_keys[] = { "name",       "intent",    "params",      "facts",
                                             "facts_file", "eval_time", "constraints", "options",
                                             "principal",  "external",  "expect",      "invoke",
                                             NULL };

/* ---- running ------------------------------------------------------------------------------ */

static bool evaluate(struct run *r, const struct json *payload, const struct yaml_node *expect)
{
    struct intent_notes notes = { .fired = r->fired };
    struct buf said = { 0 };
    struct json asked;
    if (!mgi_scenario_asks_why(r, expect, &asked))
        return false;
    struct why_not_question why_not = { .tools = &asked, .in_full = true, .answer = &said };
    struct intent_call call = { .snapshot = r->s,
                                .who = &r->who,
                                .payload = payload,
                                .clock_ns = r->clock_ns,
                                .mono = r->options ? r->options->mono : NULL,
                                .mono_context = r->options ? r->options->mono_context : NULL,
                                .store = &r->store,
                                .log = &r->log,
                                .notes = &notes,
                                .why_not = asked.count > 0 ? &why_not : NULL };
    struct wire_error e = { .retry_after_ms = -1 };
    struct buf out = { 0 };
    bool ok = true;
    r->response = (struct json){ .type = JSON_NULL };
    r->why = (struct json){ .type = JSON_ARRAY };
    r->error = NULL;
    if (mgi_intent_evaluate(r->worker, &call, r->yaml.arena, &out, &e)) {
        ok = mgi_json_take(r->yaml.arena, &out, &r->response) &&
             (asked.count == 0 || mgi_json_take(r->yaml.arena, &said, &r->why));
        if (r->options && r->options->why_not_count > 0)
            r->result->why_not = mgi_arena_str(r->yaml.arena, r->why.text).ptr;
    } else {
        r->error = mgi_wire_code(e.code)->name;
    }
    mgi_buf_fini(&out);
    mgi_buf_fini(&said);
    if (ok)
        mgi_scenario_judge(r, expect, &e);
    return ok;
}

/* The logger's. */
static void keep_line(void *context, enum log_level level, const char *line, size_t len)
{
    struct run *r = context;
    (void)level;
    r->told = mgi_arena_str(r->yaml.arena, (struct str){ line, len }).ptr;
}

static bool is_wanted(const struct run *r, struct str name)
{
    return !r->options || !r->options->only ||
           mgi_str_find(name, str_of(r->options->only)) != SIZE_MAX;
}

static int64_t now_ns(const struct run *r)
{
    return r->options && r->options->mono ? r->options->mono(r->options->mono_context) : 0;
}

/* False: memory. */
static bool play_scenario(struct run *r, const struct yaml_node *n, const struct yaml_node *expect)
{
    const struct yaml_node *invoke = mgi_yaml_get(n, "invoke");
    struct json payload;
    r->told = NULL;
    return mgi_scenario_principal(r, mgi_yaml_get(n, "principal")) &&
           mgi_scenario_request(r, n, &payload) && evaluate(r, &payload, expect) &&
           (!invoke || mgi_scenario_invoke(r, invoke, mgi_yaml_get(n, "eval_time")));
}

static bool run_scenario(struct run *r, const struct yaml_node *n)
{
    struct str name = mgi_yaml_text(&r->yaml, n, "name", true);
    if (!is_wanted(r, name))
        return true;
    size_t errors = mgi_findings_errors(r->yaml.findings);
    mgi_yaml_known_keys(&r->yaml, n, "a scenario", scenario_keys);
    const struct yaml_node *expect = mgi_yaml_get(n, "expect");
    mgi_scenario_check(r, expect);
    r->own_external = mgi_answered_check(r, mgi_yaml_get(n, "external"));
    struct scenario_report *report = r->report;
    if (!mgi_arena_grow(r->yaml.arena, &report->items, &r->cap, report->count + 1,
                        sizeof *report->items))
        return false;
    r->result = &report->items[report->count++];
    r->failure_cap = 0;
    *r->result = (struct scenario_result){
        .file = n->origin, .line = n->line, .name = name, .passed = true
    };
    int64_t began_ns = now_ns(r);
    if (!play_scenario(r, n, expect))
        return false;
    if (r->yaml.arena->oom)
        return false; /* nobody knows what holds */
    r->result->duration_ns = now_ns(r) - began_ns;
    mgi_reach_scenario(r);
    if (mgi_findings_errors(r->yaml.findings) > errors)
        mgi_scenario_fail(r, "the scenario itself is wrong");
    report->passed += r->result->passed;
    return true;
}

static bool run_file(struct run *r, const struct file *file)
{
    const struct yaml_node *root = mgi_yaml_parse(&r->yaml, file->path, file->text, 0);
    if (!root)
        return !r->yaml.arena->oom;
    if (root->kind != YAML_MAP) {
        mgi_yaml_error(&r->yaml, root, "BAD_VALUE", NULL, "a test file is a map with scenarios");
        return true;
    }
    mgi_yaml_known_keys(&r->yaml, root, "a test file", file_keys);
    const struct yaml_node *clock = mgi_yaml_get(root, "clock");
    r->clock_ns = 0;
    if (clock && mgi_time_parse(clock->text, TIME_LOWER_CASE, &r->clock_ns) != TIME_OK)
        mgi_yaml_error(&r->yaml, clock, "BAD_VALUE", NULL, "clock is an RFC 3339 time");
    r->file_external = mgi_answered_check(r, mgi_yaml_get(root, "external"));
    const struct yaml_node *list = mgi_yaml_get(root, "scenarios");
    if (!list || list->kind != YAML_LIST) {
        mgi_yaml_error(&r->yaml, root, "MISSING_KEY", NULL, "\"scenarios\" must be a list");
        return true;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind != YAML_MAP)
            mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "a scenario is a map");
        else if (!run_scenario(r, n))
            return false;
    }
    return true;
}

bool mgi_scenarios_run(struct snapshot *s, const struct scenario_options *options,
                       struct findings *findings, struct arena *arena, struct scenario_report *out)
{
    static const char *const suffixes[] = { ".yaml", ".yml", NULL };
    struct run r = {
        .s = s, .options = options, .yaml = { .arena = arena, .findings = findings }, .report = out
    };
    struct file_list files = { 0 };
    *out = (struct scenario_report){ 0 };
    r.log = (struct logger){ LOG_WARN, keep_line, &r };
    r.worker = mgi_intent_worker_new();
    bool ok = r.worker && mgi_store_memory(STORE_BYTES, &r.store) && mgi_player_open(&r) &&
              mgi_reach_begin(&r) &&
              mgi_files_read(&r.yaml, s->folder.ptr, "tests", suffixes, &files);
    if (ok)
        mgi_answered_begin(&r);
    for (size_t i = 0; ok && i < files.count; i++)
        ok = run_file(&r, &files.items[i]);
    mgi_reach_end(&r);
    if (!ok)
        mgi_findings_lack_memory(findings, s->folder.ptr);
    mgi_findings_forget(findings);
    mgi_player_close(&r);
    mgi_store_close(&r.store);
    mgi_intent_worker_free(r.worker);
    return ok;
}
