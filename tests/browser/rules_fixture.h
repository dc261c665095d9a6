/* The browser domain inside a test: its rules, and its plugin without a process between. Include
 * after cmocka.h. */
#ifndef TESTS_BROWSER_RULES_FIXTURE_H
#define TESTS_BROWSER_RULES_FIXTURE_H

#include "browser/fake_host.h"
#include "domain/domain.h"

#define DOMAIN  MGI_SOURCE_DIR "/domains/browser"
#define CAPTURE DOMAIN "/captures/"

static struct snapshot *domain;
static struct arena arena;

/* The actions as the plugin registers them, without a process between. */
static bool list_actions(void *context, void *begun, struct arena *into,
                         const struct action_provider *provider, struct action **actions,
                         size_t *count, const char **why)
{
    (void)context, (void)begun, (void)why;
    struct action *list = mgi_arena_calloc(into, plugin_tools.count, sizeof *list);
    for (size_t i = 0; i < plugin_tools.count; i++) {
        struct str *effect = mgi_arena_calloc(into, 1, sizeof *effect);
        *effect = str_of(plugin_tools.effects[i]);
        list[i] = (struct action){ .aid = str_of(plugin_tools.tools[i].aid),
                                   .name = str_of(plugin_tools.tools[i].name),
                                   .provider = provider,
                                   .tier = str_is(*effect, "none") ? 0 : 1,
                                   .idempotent = true,
                                   .reversible = true,
                                   .effects = effect,
                                   .effect_count = 1 };
    }
    *actions = list;
    *count = plugin_tools.count;
    return true;
}

static int begin(void **state)
{
    (void)state;
    plugin_load();
    mgi_arena_init(&arena, 0);
    const struct action_source source = { .list = list_actions };
    static const char *const paths[] = { MGI_BUILD_DIR "/plugins" };
    const struct domain_options options = { .plugin_paths = paths,
                                            .plugin_path_count = 1,
                                            .actions = &source };
    struct findings *findings = mgi_findings_new();
    domain = mgi_domain_load(DOMAIN, &options, findings);
    struct buf text;
    mgi_buf_init(&text);
    for (size_t i = 0; i < mgi_findings_count(findings); i++)
        mgi_finding_print(&text, mgi_findings_get(findings, i));
    if (text.len > 0)
        print_error("%s", text.ptr);
    bool fine = domain && mgi_findings_count(findings) == 0;
    mgi_buf_fini(&text);
    mgi_findings_free(findings);
    return fine ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    mgi_snapshot_unref(domain);
    mgi_arena_fini(&arena);
    plugin_unload();
    return 0;
}

/* ---- what rules answer ------------------------------------------------------------------------
 */

static mangle_value text_value(mangle_values *t, const char *text)
{
    return mangle_string(t, text, strlen(text));
}

static void tell_rules(mangle_overlay *o, const char *pred, const mangle_value *args,
                       uint32_t count)
{
    struct mangle_error err;
    mangle_pred id = mangle_pred_find(domain->program, pred, count);
    assert_int_equal(mangle_overlay_add(o, id, args, count, NULL, &err), MANGLE_OK);
}

static struct json kept_json(const struct buf *text)
{
    struct json v = { 0 };
    struct str kept = mgi_arena_str(&arena, mgi_buf_view(text));
    assert_int_equal(mgi_json_parse(&arena, kept, NULL, &v, NULL), JSON_OK);
    return v;
}

/* What `action` says of the capture in `dir`; its evidence, if there is any, is told to `o`. */
static struct json act(const char *action, const char *dir, const char *more, mangle_overlay *o)
{
    static const struct fact_rules rules;
    th_call call;
    char input[500];
    snprintf(input, sizeof input, "{\"capture\":\"%s\"%s}", dir, more);
    if (plugin_call(&call, action, input) != TH_OK)
        fail_msg("%.*s", (int)call.error.len, call.error.ptr);
    struct json v = kept_json(&call.output);
    if (o && call.evidence.len > 0) {
        struct json all = kept_json(&call.evidence);
        struct fact_list list;
        struct mangle_error err;
        assert_true(mgi_facts_decode(&arena, mangle_overlay_values(o), &domain->evidence, &rules,
                                     mgi_json_get(&all, "facts"), 0, &list));
        if (list.fault_count > 0)
            fail_msg("%s", list.violations[0].message);
        for (size_t i = 0; i < list.count; i++)
            assert_int_equal(mangle_overlay_add(o, list.facts[i].schema->pred, list.facts[i].args,
                                                list.facts[i].schema->arity,
                                                list.facts[i].has_t ? &list.facts[i].t : NULL,
                                                &err),
                             MANGLE_OK);
    }
    call_fini(&call);
    return v;
}

/* The members that rules put into a result, as one object. */
static struct json members_of(mangle_overlay *o)
{
    const struct mangle_fact *facts;
    size_t count;
    struct buf text;
    struct json_writer w;
    const mangle_values *t = mangle_overlay_values(o);
    mangle_pred id = mangle_pred_find(domain->program, "result_member", 2);
    assert_int_equal(mangle_overlay_facts(o, id, &facts, &count), MANGLE_OK);
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < count; i++) {
        size_t len;
        const char *name = mangle_text_of(t, facts[i].args[0], &len);
        mgi_jw_key(&w, mgi_arena_printf(&arena, "%.*s", (int)len, name));
        mgi_value_to_json(&w, t, facts[i].args[1]);
    }
    mgi_jw_end_object(&w);
    struct json v = kept_json(&text);
    mgi_buf_fini(&text);
    return v;
}

/* What is told after `tool` has looked at the capture in `dir`, about `error_id` if that is given.
 */
static mangle_overlay *diagnosis_begin(const char *tool, const char *dir, const char *error_id)
{
    mangle_overlay *o;
    struct mangle_error err;
    const char *issue = NULL, *why = NULL;
    assert_int_equal(mangle_overlay_new(domain->base, &o), MANGLE_OK);
    mangle_values *t = mangle_overlay_values(o);
    tell_rules(o, "invoked", (mangle_value[]){ text_value(t, tool) }, 1);
    if (error_id) {
        const char *more = mgi_arena_printf(&arena, ",\"error_id\":\"%s\"", error_id);
        struct json traced = act("trace_dom_impact", dir, more, NULL);
        uint32_t count = 0; /* a rule sees what is there; null is nothing */
        for (uint32_t i = 0; i < traced.count; i++)
            if (traced.members[i].value.type == JSON_OBJECT)
                traced.members[count++] = traced.members[i];
        traced.count = count;
        mangle_value map = mgi_value_from_json(t, &traced, false, false, &arena, &issue, &why);
        assert_null(issue);
        tell_rules(o, "step_output", (mangle_value[]){ text_value(t, "trace"), map }, 2);
    }
    act("gather_evidence", dir, "", o);
    tell_rules(o, "step_status",
               (mangle_value[]){ text_value(t, "gather"), text_value(t, "success") }, 2);
    assert_int_equal(mangle_overlay_eval(o, 0, NULL, NULL, &err), MANGLE_OK);
    return o;
}

static inline struct json diagnosis(const char *tool, const char *dir, const char *error_id)
{
    mangle_overlay *o = diagnosis_begin(tool, dir, error_id);
    struct json v = members_of(o);
    mangle_overlay_free(o);
    return v;
}

#endif
