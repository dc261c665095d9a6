/* What the user agreed to: a tool as it was shown, with its arguments. Is what comes later still
 * that?
 *
 * A server may say more than the tool did, and then the user is asked again. What may differ
 * without a question is what was open to see: the defaults of the tool's own schema, and nothing
 * else. */
#include "client/client_int.h"

static bool same_json(struct arena *scratch, const char *a, const char *b)
{
    struct json x, y;
    if (!a || !b)
        return !a && !b;
    return mgi_json_parse(scratch, str_of(a), NULL, &x, NULL) == JSON_OK &&
           mgi_json_parse(scratch, str_of(b), NULL, &y, NULL) == JSON_OK &&
           mgi_json_equal(&x, &y, true);
}

static bool lists(const char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

static bool same_effects(const char *const *a, size_t a_count, const char *const *b, size_t b_count)
{
    for (size_t i = 0; i < a_count; i++)
        if (!lists(b, b_count, a[i]))
            return false;
    for (size_t i = 0; i < b_count; i++)
        if (!lists(a, a_count, b[i]))
            return false;
    return true;
}

bool mgi_tool_means_the_same(struct arena *scratch, const struct manglecp_tool *then,
                             const struct manglecp_tool *now)
{
    if (then->level != MANGLECP_FULL)
        return true;
    return now->level == MANGLECP_FULL && strcmp(then->description, now->description) == 0 &&
           same_json(scratch, then->input_schema, now->input_schema) &&
           same_json(scratch, then->output_schema, now->output_schema) &&
           then->requires_confirmation == now->requires_confirmation &&
           then->reversible == now->reversible &&
           same_effects(then->side_effects, then->side_effect_count, now->side_effects,
                        now->side_effect_count);
}

/* ---- what will run --------------------------------------------------------------------------- */

const char *mgi_args_with_defaults(struct arena *a, const struct manglecp_tool *tool,
                                   const struct json *args)
{
    struct json schema, full;
    struct buf text = { 0 };
    struct json_writer w;
    if (!tool || !tool->input_schema ||
        mgi_json_parse(a, str_of(tool->input_schema), NULL, &schema, NULL) != JSON_OK)
        return a->oom ? NULL : mgi_arena_str(a, args->text).ptr;
    if (!mgi_schema_defaults(a, &schema, args, &full))
        return NULL;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_value(&w, &full);
    const char *out = text.oom ? NULL : mgi_arena_str(a, mgi_buf_view(&text)).ptr;
    mgi_buf_fini(&text);
    return out;
}

/* ---- what the server says -------------------------------------------------------------------- */

static const char *said(struct arena *a, const struct json *object, const char *name,
                        const char *otherwise)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? mgi_arena_str(a, v->string).ptr : otherwise;
}

static void read_effects(struct arena *a, const struct json *effects, struct manglecp_consent *out)
{
    const char **list = mgi_arena_calloc(a, (size_t)effects->count + 1, sizeof *list);
    out->side_effects = list;
    out->side_effect_count = 0;
    for (uint32_t i = 0; list && i < effects->count; i++)
        if (effects->items[i].type == JSON_STRING)
            list[out->side_effect_count++] = mgi_arena_str(a, effects->items[i].string).ptr;
}

bool mgi_challenge_read(struct arena *a, const struct json *details,
                        const struct manglecp_consent *known, struct challenge_words *out)
{
    const struct json *show = mgi_json_get(details, "show");
    const struct json *args = mgi_json_get(show, "args");
    const struct json *bound = mgi_json_get(show, "bound");
    const struct json *effects = mgi_json_get(details, "side_effects");
    const struct json *reversible = mgi_json_get(details, "reversible");
    struct manglecp_consent *words = &out->consent;
    out->challenge = said(a, details, "challenge", NULL);
    out->macro_id = said(a, details, "macro_id", NULL);
    *words = *known;
    words->told_by_server = true;
    words->tool = said(a, show, "tool", known->tool);
    words->description = said(a, show, "description", known->description);
    if (args && args->type == JSON_OBJECT)
        words->args = mgi_arena_str(a, args->text).ptr;
    if (bound && bound->type == JSON_ARRAY)
        words->bound = mgi_arena_str(a, bound->text).ptr;
    words->question = said(a, show, "question", NULL);
    if (words->question) {
        const struct json *inputs = mgi_json_get(show, "inputs");
        words->action = said(a, show, "action", "");
        words->inputs = inputs ? mgi_arena_str(a, inputs->text).ptr : "{}";
    }
    if (reversible && reversible->type == JSON_BOOL)
        words->reversible = reversible->boolean;
    if (effects && effects->type == JSON_ARRAY)
        read_effects(a, effects, words);
    return !a->oom;
}

/* As they were sent, or with the defaults. */
static bool same_args(struct arena *scratch, const char *sent, const char *full, const char *told)
{
    struct json s, f, t;
    return mgi_json_parse(scratch, str_of(sent), NULL, &s, NULL) == JSON_OK &&
           mgi_json_parse(scratch, str_of(full), NULL, &f, NULL) == JSON_OK &&
           mgi_json_parse(scratch, str_of(told), NULL, &t, NULL) == JSON_OK &&
           (mgi_json_equal(&t, &f, false) || mgi_json_equal(&t, &s, false));
}

bool mgi_consent_covers(struct arena *scratch, const struct manglecp_consent *agreed,
                        const char *sent, const struct manglecp_consent *told)
{
    /* What is asked in the middle was not known before. */
    return !told->question && strcmp(agreed->tool, told->tool) == 0 &&
           strcmp(agreed->description, told->description) == 0 &&
           agreed->reversible == told->reversible &&
           same_effects(agreed->side_effects, agreed->side_effect_count, told->side_effects,
                        told->side_effect_count) &&
           same_json(scratch, agreed->bound, told->bound) &&
           same_args(scratch, sent, agreed->args, told->args);
}
