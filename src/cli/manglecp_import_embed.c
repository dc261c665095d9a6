/* `--embed PYTHON`: a ranking by what texts mean, beside the one by words. What an import writes
 * for it (templates/import/embed, an entry of `external` and one of `actions`), and the vectors of
 * its tools, worked out once by the model itself; see manglecp_import.h. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/manglecp_import.h"

enum { MOST_PAGES = 400, PAGE_MS = 60000 };

static const char model_file[] = "model.py", vectors_file[] = "vectors.json",
                  vectors_aid[] = "AID.NEAR.VECTORS.v1";

/* A path counts from where the command is given, and not from the domain's folder. Links stay: a
 * virtual environment is one. */
bool mgi_import_embed_begin(struct importing *im)
{
    char here[PATH_MAX];
    if (!im->embed || im->embed[0] == '/' || !strchr(im->embed, '/'))
        return true;
    if (getcwd(here, sizeof here))
        im->embed = mgi_arena_printf(&im->arena, "%s/%s", here, im->embed);
    return im->embed != NULL;
}

/* ---- vectors ----------------------------------------------------------------------------------
 */

/* A page of what the model has worked out: {"vectors": {...}, "more": ..., "model": ...}. */
static const struct json *ask_page(struct importing *im, const struct domain_external *e,
                                   const struct action *action, size_t first, struct json *answer)
{
    const char *text = mgi_arena_printf(&im->arena, "{\"first\":%zu}", first);
    struct str input = str_of(text ? text : "{}");
    const struct action_question question = {
        .action = action, .inputs = &input, .count = 1, .timeout_ms = PAGE_MS, .kept = e->kept
    };
    im->embed_why = "out of memory";
    if (!text || !e->ask(e->program, &question, &im->arena, answer, &im->embed_why))
        return NULL;
    const struct json *vectors = mgi_json_get(answer, "vectors");
    im->embed_why = "its answer has no vectors";
    return vectors && vectors->type == JSON_OBJECT ? vectors : NULL;
}

static bool put_pages(struct importing *im, const struct domain_external *e,
                      const struct action *action, struct json_writer *w)
{
    bool more = true;
    for (size_t page = 0; more && page < MOST_PAGES; page++) {
        struct json answer;
        const struct json *vectors = ask_page(im, e, action, im->embedded, &answer);
        const struct json *goes_on = vectors ? mgi_json_get(&answer, "more") : NULL;
        const struct json *model = vectors ? mgi_json_get(&answer, "model") : NULL;
        if (!vectors)
            return false;
        if (page == 0) {
            mgi_jw_begin_object(w);
            mgi_jw_key(w, "model");
            mgi_jw_string(w, model && model->type == JSON_STRING ? model->string : STR_LIT(""));
            mgi_jw_key(w, "vectors");
            mgi_jw_begin_object(w);
        }
        for (uint32_t i = 0; i < vectors->count; i++) {
            mgi_jw_key_str(w, vectors->members[i].name);
            mgi_jw_value(w, &vectors->members[i].value);
        }
        im->embedded += vectors->count;
        more = vectors->count > 0 && goes_on && goes_on->type == JSON_BOOL && goes_on->boolean;
    }
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
    return true;
}

static bool write_vectors(struct importing *im, const struct snapshot *s, struct buf *out)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    const struct action *action = mgi_snapshot_action(s, str_of(vectors_aid));
    for (size_t i = 0; action && i < s->external_count; i++)
        if (str_is(s->externals[i].name, "tool_near") && s->externals[i].ask)
            return put_pages(im, &s->externals[i], action, &w);
    im->embed_why = "the domain has no tool_near";
    return false;
}

/* The model that is there stays, if somebody has changed it: then the vectors are to be its own. */
static bool stage_model(struct importing *im)
{
    struct str there = im->fresh ? STR_LIT("") : mgi_import_old_file(im, model_file);
    return there.len == 0 || mgi_import_put(im, model_file, there);
}

static bool embed(struct importing *im, struct findings *findings)
{
    struct buf text = { 0 };
    struct snapshot *s = mgi_host_check(&im->host, &im->arena, findings);
    bool good = s != NULL;
    if (!s)
        mgi_host_print_findings(findings);
    if (s && write_vectors(im, s, &text)) {
        good = mgi_import_put(im, vectors_file, mgi_buf_view(&text)) &&
               mgi_import_files_take(&im->files, vectors_file, &text, false);
        im->embed_why = NULL;
    }
    mgi_snapshot_unref(s);
    mgi_buf_fini(&text);
    return good;
}

bool mgi_import_embed(struct importing *im)
{
    if (!im->embed)
        return true;
    struct findings *findings = mgi_findings_new();
    bool good = findings && stage_model(im) && embed(im, findings);
    mgi_findings_free(findings);
    return good;
}

bool mgi_import_ask_nobody(const char *program, const struct action_question *question,
                           struct arena *arena, struct json *outputs, const char **why)
{
    (void)program, (void)question, (void)arena, (void)outputs;
    *why = "an import asks no model";
    return false;
}
