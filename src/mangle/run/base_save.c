/* A closed base as bytes. See base_saved.h for the form. */
#include <stdio.h>

#include "mangle/run/base_saved.h"

static void put_word(struct buf *out, uint32_t word)
{
    mgi_buf_append(out, &word, sizeof word);
}

static void put_number(struct buf *out, int64_t n)
{
    mgi_buf_append(out, &n, sizeof n);
}

static void put_text(struct buf *out, struct str s)
{
    static const char zeros[sizeof(uint32_t)];
    mgi_buf_str(out, s);
    mgi_buf_append(out, zeros, (0 - s.len) % sizeof zeros);
}

/* ---- the program ------------------------------------------------------------------------- */

static void name_pred(struct buf *out, const struct pred *pred)
{
    put_text(out, pred->name);
    const uint32_t words[] = { (uint32_t)pred->name.len,
                               pred->arity,
                               pred->temporal,
                               pred->host,
                               pred->derived,
                               pred->deferred,
                               pred->assertable,
                               pred->output,
                               pred->changeable,
                               pred->privileged,
                               pred->vouched,
                               pred->claimed };
    mgi_buf_append(out, words, sizeof words);
}

bool mgi_saved_fingerprint(const mangle_program *p, uint8_t out[CONTENT_HASH_BYTES])
{
    struct buf text = { 0 };
    for (size_t i = 0; i < p->source_count; i++) {
        put_number(&text, (int64_t)p->sources[i].text.len);
        put_text(&text, p->sources[i].text);
    }
    for (size_t i = 0; i < p->pred_count; i++)
        name_pred(&text, &p->preds[i]);
    put_number(&text, (int64_t)mgi_values_count(p->values));
    bool ok = !text.oom;
    if (ok)
        mgi_content_hash(text.ptr, text.len, out);
    mgi_buf_fini(&text);
    return ok;
}

/* ---- values ------------------------------------------------------------------------------ */

static void put_values(struct buf *out, const mangle_base *base)
{
    const mangle_values *t = base->values;
    size_t at = mgi_values_count(base->program->values), end = mgi_values_count(t);
    put_word(out, (uint32_t)at);
    put_word(out, (uint32_t)end);
    while (at < end && !out->oom)
        at = mgi_values_put(out, t, at);
}

/* ---- relations --------------------------------------------------------------------------- */

static void put_intervals(struct buf *out, const struct rel *rel, uint32_t row)
{
    uint32_t count;
    const struct mangle_interval *run = mgi_times_run(rel, row, &count);
    put_word(out, count);
    for (uint32_t i = 0; i < count; i++) {
        put_number(out, run[i].start_ns);
        put_number(out, run[i].end_ns);
    }
}

static void put_rel(struct buf *out, const struct rel *rel)
{
    put_word(out, rel->count);
    put_word(out, rel->given);
    put_word(out, rel->mark_count);
    for (uint32_t i = 0; i < rel->mark_count; i++) {
        put_word(out, rel->marks[i].round);
        put_word(out, rel->marks[i].end);
    }
    if (rel->count && rel->arity)
        mgi_buf_append(out, rel->rows, (size_t)rel->count * rel->arity * sizeof *rel->rows);
    for (uint32_t row = 0; rel->temporal && row < rel->count; row++)
        put_intervals(out, rel, row);
}

static void put_base(struct buf *out, const mangle_base *base)
{
    const mangle_program *p = base->program;
    const struct mangle_stats *s = &base->stats;
    uint8_t print[CONTENT_HASH_BYTES];
    if (!mgi_saved_fingerprint(p, print)) {
        out->oom = true;
        return;
    }
    mgi_buf_append(out, print, sizeof print);
    put_number(out, s->facts_given);
    put_number(out, s->facts_derived);
    put_number(out, s->rule_firings);
    put_number(out, s->rounds);
    put_word(out, base->birth);
    put_values(out, base);
    put_word(out, mgi_saved_rules(p));
    mgi_buf_append(out, base->fired, mgi_saved_rules(p) * sizeof *base->fired);
    put_word(out, (uint32_t)p->pred_count);
    for (size_t i = 0; i < p->pred_count; i++)
        put_rel(out, &base->rels[i]);
}

/* ---- the file ---------------------------------------------------------------------------- */

/* NULL, or why this base is not to be had in a file. */
static const char *not_saved(const mangle_base *base)
{
    if (!base->closed)
        return "the base is not closed";
    if (base->program->external_count)
        return "a base that asked its host (external predicates) cannot be saved";
    for (size_t i = 0; i < base->program->pred_count; i++)
        if (base->program->preds[i].lattice)
            return "a base whose facts are merged (fundep, merge) cannot be saved";
    return NULL;
}

enum mangle_status mangle_base_save(const mangle_base *base, const void *note, size_t note_len,
                                    char **out, size_t *len, struct mangle_error *err)
{
    const char *why = not_saved(base);
    *out = NULL;
    *len = 0;
    if (why) {
        if (err)
            snprintf(err->message, sizeof err->message, "%s", why);
        return MANGLE_ERR_INPUT;
    }
    struct buf body = { 0 }, file = { 0 };
    put_base(&body, base);
    struct sealed_entry entries[] = { { .bytes = { note_len ? note : "", note_len } },
                                      { .bytes = { body.ptr, body.len } } };
    memcpy(entries[0].key, SAVED_NOTE, SEALED_KEY_BYTES);
    memcpy(entries[1].key, SAVED_BASE, SEALED_KEY_BYTES);
    if (!body.oom)
        mgi_sealed_write(&file, SAVED_KIND, SAVED_MAKER, entries, 2);
    bool ok = !body.oom && !file.oom;
    if (ok)
        *out = mgi_buf_take(&file, len);
    mgi_buf_fini(&body);
    mgi_buf_fini(&file);
    if (!*out && err)
        snprintf(err->message, sizeof err->message, "out of memory");
    return *out ? MANGLE_OK : MANGLE_ERR_NOMEM;
}
