/* Which predicates a text of facts speaks of, form by form. */
#include "base/alloc.h"
#include "formats/fact_int.h"
#include "formats/tsv.h"

void mgi_host_preds_init(struct host_pred_list *list)
{
    *list = (struct host_pred_list){ 0 };
    mgi_arena_init(&list->names, 0);
    mgi_strmap_init(&list->index);
}

void mgi_host_preds_fini(struct host_pred_list *list)
{
    mgi_arena_fini(&list->names);
    mgi_free(list->items);
    mgi_strmap_fini(&list->index);
    mgi_buf_fini(&list->key);
}

/* Enter a predicate, or another fact of it. False: memory. */
static bool list_pred(struct host_pred_list *out, struct str name, size_t arity, bool temporal)
{
    uint32_t at;
    if (out->last < out->count && out->items[out->last].arity == arity &&
        str_is(name, out->items[out->last].name)) {
        out->items[out->last].temporal |= temporal;
        return true;
    }
    mgi_buf_clear(&out->key);
    mgi_buf_printf(&out->key, "%.*s/%zu", STR_ARG(name), arity);
    if (out->key.oom)
        return false;
    if (!mgi_strmap_get(&out->index, mgi_buf_view(&out->key), &at)) {
        at = (uint32_t)out->count;
        const char *kept = mgi_arena_str(&out->names, name).ptr;
        if (!kept || !mgi_grow(&out->items, &out->cap, out->count + 1, sizeof *out->items) ||
            !mgi_strmap_put(&out->index, mgi_buf_view(&out->key), at))
            return false;
        out->items[out->count++] = (struct mangle_host_pred){ kept, (uint32_t)arity, false };
    }
    out->items[at].temporal |= temporal;
    out->last = at;
    return true;
}

static bool of_mangle_text(const struct mangle_source *text, struct host_pred_list *out)
{
    struct mangle_host_pred *preds;
    size_t count;
    bool ok = mangle_facts_preds(text, &preds, &count) == MANGLE_OK;
    for (size_t i = 0; ok && i < count; i++)
        ok = list_pred(out, str_of(preds[i].name), preds[i].arity, preds[i].temporal);
    mangle_free(preds);
    return ok;
}

static bool of_columns(const struct mangle_source *text, struct host_pred_list *out)
{
    struct mangle_column_pred *preds;
    size_t count;
    bool ok = mangle_columns_preds(text, &preds, &count, NULL) != MANGLE_ERR_NOMEM;
    for (size_t i = 0; ok && i < count; i++)
        ok = list_pred(out, str_of(preds[i].name), preds[i].arity, false);
    mangle_free(preds);
    return ok;
}

static bool of_json_lines(struct str text, struct arena *scratch, struct host_pred_list *out)
{
    struct fact_text t = mgi_fact_text(text);
    struct fact_object fact;
    enum fact_fault fault;
    struct str line;
    bool ok = true;
    struct plain_object plain;
    while (ok && mgi_fact_line(&t, &line)) {
        if (mgi_plain_object(line, &plain)) {
            ok = !mgi_fact_pred_name_ok(plain.pred) ||
                 list_pred(out, plain.pred, plain.count, false);
            continue;
        }
        if (!mgi_fact_object(scratch, line, &fact, &fault))
            ok = list_pred(out, fact.pred, fact.args ? fact.args->count : 0, fact.t != NULL);
        ok = ok && !scratch->oom;
        mgi_arena_reset(scratch);
    }
    return ok;
}

static bool of_table(enum fact_form form, struct str text, struct str pred, struct arena *scratch,
                     struct host_pred_list *out)
{
    struct fact_text t = mgi_fact_text(text);
    struct str *fields;
    size_t count;
    uint32_t lines;
    enum csv_status status = (form == FACTS_TSV ? mgi_tsv_next : mgi_csv_next)(
        scratch, &t.rest, &fields, &count, &lines);
    bool cut = status == CSV_RECORD || status == CSV_BAD_ESCAPE;
    return status != CSV_NOMEM && (!cut || list_pred(out, pred, count, false));
}

bool mgi_fact_preds(enum fact_form form, const struct mangle_source *source, struct str pred,
                    struct host_pred_list *out)
{
    struct str text = { source->text, source->len };
    struct arena scratch;
    bool ok = false;
    mgi_arena_init(&scratch, 0);
    switch (form) {
    case FACTS_MANGLE:
        ok = of_mangle_text(source, out);
        break;
    case FACTS_JSON_LINES:
        ok = of_json_lines(text, &scratch, out);
        break;
    case FACTS_CSV:
    case FACTS_TSV:
        ok = of_table(form, text, pred, &scratch, out);
        break;
    case FACTS_COLUMNS:
        ok = of_columns(source, out);
        break;
    case FACTS_JSON:
    case FACTS_PROTOBUF:
        ok = list_pred(out, pred, 1, false);
        break;
    }
    mgi_arena_fini(&scratch);
    return ok;
}
