/* Lines, and the fact objects on them. */
#include <string.h>

#include "formats/fact_int.h"

struct fact_text mgi_fact_text(struct str text)
{
    if (mgi_str_starts(text, STR_LIT("\xEF\xBB\xBF"))) {
        text.ptr += 3;
        text.len -= 3;
    }
    return (struct fact_text){ .rest = text };
}

bool mgi_fact_line(struct fact_text *t, struct str *line)
{
    while (t->rest.len) {
        const char *end = memchr(t->rest.ptr, '\n', t->rest.len);
        size_t len = end ? (size_t)(end - t->rest.ptr) : t->rest.len;
        *line = (struct str){ t->rest.ptr, len };
        t->rest.ptr += len + (end != NULL);
        t->rest.len -= len + (end != NULL);
        t->line++;
        for (size_t i = 0; i < len; i++)
            if (line->ptr[i] != ' ' && line->ptr[i] != '\t' && line->ptr[i] != '\r')
                return true;
    }
    return false;
}

bool mgi_fact_skip_empty(struct fact_text *t)
{
    while (t->rest.len && (t->rest.ptr[0] == '\n' || t->rest.ptr[0] == '\r')) {
        t->line += t->rest.ptr[0] == '\n';
        t->rest.ptr++;
        t->rest.len--;
    }
    return t->rest.len > 0;
}

const char *mgi_fact_object(struct arena *arena, struct str line, struct fact_object *out,
                            enum fact_fault *fault)
{
    struct json_error error;
    struct json *root = mgi_arena_alloc(arena, sizeof *root);
    *fault = FACT_NOT_JSON;
    if (!root)
        return "out of memory";
    enum json_fault parsed = mgi_json_parse(arena, line, NULL, root, &error);
    if (parsed != JSON_OK) {
        arena->oom |= parsed == JSON_NOMEM;
        const char *why = mgi_arena_strdup(arena, error.message);
        return why ? why : "out of memory";
    }
    *fault = FACT_NO_OBJECT;
    if (root->type != JSON_OBJECT)
        return "expected a fact object such as {\"pred\":\"p\",\"args\":[1]}";
    const struct json *pred = mgi_json_get(root, "pred");
    out->args = mgi_json_get(root, "args");
    out->t = mgi_json_get(root, "t");
    if (out->t && out->t->type == JSON_NULL)
        out->t = NULL;
    if (!pred || pred->type != JSON_STRING || !mgi_fact_pred_name_ok(pred->string))
        return "\"pred\" must be the name of a predicate";
    if (out->args && out->args->type != JSON_ARRAY)
        return "\"args\" must be an array";
    out->pred = pred->string;
    return NULL;
}
