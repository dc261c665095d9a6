/* The text of a fact that is signed. Values are put into their JSON form, as a client sees them and
 * sends them back, and that into its canonical form; so it does not matter in which order members
 * come, or whether arguments have names. */
#include "protocol/fact.h"

static void write_said(struct json_writer *w, const mangle_values *t, const struct said_fact *f)
{
    mgi_jw_begin_array(w);
    mgi_jw_cstring(w, "manglecp fact 1");
    mgi_jw_string(w, f->domain);
    mgi_jw_string(w, f->principal);
    mgi_jw_string(w, f->pred);
    mgi_jw_begin_array(w);
    for (uint32_t i = 0; i < f->count; i++)
        mgi_value_to_json(w, t, f->args[i]);
    mgi_jw_end_array(w);
    mgi_jw_int(w, f->t.start_ns);
    mgi_jw_int(w, f->t.end_ns);
    mgi_jw_string(w, f->source_type);
    mgi_jw_string(w, f->source_id);
    mgi_jw_int(w, f->asserted_at_ns);
    mgi_jw_end_array(w);
}

bool mgi_said_fact_text(struct buf *out, const mangle_values *t, const struct said_fact *f)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct json v;
    struct arena scratch;
    mgi_arena_init(&scratch, 0);
    mgi_json_writer_init(&w, &text, 0);
    write_said(&w, t, f);
    bool ok = !text.oom && mgi_json_parse(&scratch, mgi_buf_view(&text), NULL, &v, NULL) == JSON_OK;
    if (ok)
        mgi_json_canonical(out, &v);
    mgi_arena_fini(&scratch);
    mgi_buf_fini(&text);
    return ok && !out->oom;
}
