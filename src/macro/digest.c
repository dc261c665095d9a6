/* What tells compositions apart, and the ids made of it. A tool is mostly made of the same as the
 * last time: its digest is kept beside what it was worked out from. */
#include "base/alloc.h"
#include "base/encode.h"
#include "macro/macro_int.h"
#include "sys/digest.h"

/* Hex digits of the digest in an id: 48 bits tell the compositions of one domain apart. */
#define ID_DIGITS 12
#define SLUG_MAX  100

/* Its id and what it runs; of a menu, what it may run. */
static void write_step(struct json_writer *w, const struct step *step)
{
    mgi_jw_string(w, step->id);
    if (step->menu)
        mgi_jw_begin_array(w);
    for (size_t i = 0; i < mgi_step_actions(step); i++)
        mgi_jw_string(w, mgi_step_action(step, i)->aid);
    if (step->menu)
        mgi_jw_end_array(w);
}

/* Canonical JSON by hand: members sorted, no white space. */
static void write_composition(struct buf *out, const struct tool *tool, const struct macro *m)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "bound");
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < m->bound_count; i++) {
        mgi_jw_key_str(&w, m->bound[i].name);
        mgi_jw_raw(&w, m->bound[i].value.text);
    }
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "chain");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < m->step_count; i++)
        write_step(&w, &tool->steps[m->steps[i]]);
    mgi_jw_end_array(&w);
    mgi_jw_member_bool(&w, "confirm", m->requires_confirmation);
    mgi_jw_member_strs(&w, "effects", m->effects, m->effect_count);
    mgi_jw_member_bool(&w, "idempotent", m->idempotent);
    mgi_jw_end_object(&w);
    mgi_json_canonical(out, &m->input_schema);
    mgi_buf_str(out, m->tool);
    mgi_buf_putc(out, '\n');
    if (tool->has_output_schema)
        mgi_json_canonical(out, &tool->output_schema);
    mgi_buf_str(out, m->reversible ? STR_LIT("r") : STR_LIT("-"));
    mgi_buf_str(out, m->rules_version);
}

static bool digest_text(struct arena *arena, struct str text, struct str *out)
{
    uint8_t digest[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    if (!mgi_sha256(text.ptr, text.len, digest))
        return false;
    mgi_hex(digest, sizeof digest, hex);
    *out = mgi_arena_str(arena, str_of(hex));
    return out->ptr != NULL;
}

/* ---- what is known already ------------------------------------------------------------------ */

#define KEY_MAX                                                                                    \
    ((size_t)4096) /* longer ones, of many values to choose from, are another one each time */
#define KEPT_MAX  ((size_t)1024 * 1024) /* bytes of keys; then all are forgotten */
#define HEX_CHARS ((size_t)2 * SHA256_BYTES)

struct known_digest {
    char *key; /* NULL: none yet */
    size_t len;
    char hex[HEX_CHARS];
};

struct digest_memo {
    struct buf key; /* of the composition in question */
    size_t count, kept_bytes;
    struct known_digest of[]; /* by rank of tool: of what it was made the last time */
};

struct digest_memo *mgi_digest_memo_new(const struct snapshot *s)
{
    struct digest_memo *memo =
        mgi_calloc(1, sizeof *memo + s->tool_count * sizeof(struct known_digest));
    if (memo)
        memo->count = s->tool_count;
    return memo;
}

static void forget_all(struct digest_memo *memo)
{
    for (size_t i = 0; i < memo->count; i++) {
        mgi_free(memo->of[i].key);
        memo->of[i].key = NULL;
    }
    memo->kept_bytes = 0;
}

void mgi_digest_memo_free(struct digest_memo *memo)
{
    if (!memo)
        return;
    forget_all(memo);
    mgi_buf_fini(&memo->key);
    mgi_free(memo);
}

static void put_number(struct buf *out, size_t n)
{
    mgi_buf_append(out, &n, sizeof n);
}

static void put_text(struct buf *out, struct str s)
{
    put_number(out, s.len);
    mgi_buf_str(out, s);
}

/* All that can differ between two compositions of one tool of one snapshot, so that equal keys mean
 * equal digests. */
static void write_key(struct buf *out, const struct tool *tool, const struct macro *m)
{
    bool own_schema = m->input_schema.text.ptr == tool->input_schema.text.ptr;
    mgi_buf_putc(out, (char)(m->requires_confirmation | m->idempotent << 1 | m->reversible << 2 |
                             own_schema << 3));
    put_number(out, m->step_count);
    mgi_buf_append(out, m->steps, m->step_count * sizeof *m->steps);
    put_number(out, m->effect_count);
    for (size_t i = 0; i < m->effect_count; i++)
        put_text(out, m->effects[i]);
    put_number(out, m->bound_count);
    for (size_t i = 0; i < m->bound_count; i++) {
        put_text(out, m->bound[i].name);
        put_text(out, m->bound[i].value.text);
    }
    if (!own_schema)
        put_text(out, m->input_schema.text);
}

/* Keeps the key in place of the last one. Where there is no memory for it, nothing is kept. */
static void remember(struct digest_memo *memo, struct known_digest *known, struct str digest)
{
    struct str key = mgi_buf_view(&memo->key);
    if (key.len > KEY_MAX)
        return;
    if (known->key)
        memo->kept_bytes -= known->len;
    mgi_free(known->key);
    known->key = NULL;
    if (memo->kept_bytes + key.len > KEPT_MAX)
        forget_all(memo);
    known->key = mgi_alloc(key.len);
    if (!known->key)
        return;
    memcpy(known->key, key.ptr, key.len);
    known->len = key.len;
    memcpy(known->hex, digest.ptr, HEX_CHARS);
    memo->kept_bytes += key.len;
}

/* ---- digests and ids ------------------------------------------------------------------------ */

static bool work_out(struct arena *arena, const struct tool *tool, struct macro *m)
{
    struct buf text = { 0 };
    write_composition(&text, tool, m);
    bool ok = !text.oom && digest_text(arena, mgi_buf_view(&text), &m->digest);
    mgi_buf_fini(&text);
    return ok;
}

bool mgi_macro_digest(struct arena *arena, const struct snapshot *s, struct digest_memo *memo,
                      struct macro *m)
{
    const struct tool *tool = mgi_snapshot_tool(s, m->tool);
    if (!memo)
        return work_out(arena, tool, m);
    struct known_digest *known = &memo->of[tool->rank];
    mgi_buf_clear(&memo->key);
    write_key(&memo->key, tool, m);
    if (memo->key.oom)
        return false;
    if (known->key && known->len == memo->key.len &&
        memcmp(known->key, memo->key.ptr, known->len) == 0) {
        m->digest = mgi_arena_str(arena, (struct str){ known->hex, HEX_CHARS });
        return m->digest.ptr != NULL;
    }
    if (!work_out(arena, tool, m))
        return false;
    remember(memo, known, m->digest);
    return true;
}

/* The signed text says what it is for: no signature of a fact is one of an id. */
static bool signed_digits(struct arena *arena, const struct signing_keys *keys, struct str digest,
                          struct str *out)
{
    struct buf text = { 0 };
    char signature[SIGNATURE_CHARS + 1];
    mgi_buf_puts(&text, "macro_id\n");
    mgi_buf_str(&text, digest);
    bool ok = !text.oom && mgi_sign(keys, mgi_buf_view(&text), signature) &&
              digest_text(arena, str_of(signature), out);
    mgi_buf_fini(&text);
    return ok;
}

bool mgi_macro_name(struct arena *arena, const struct signing_keys *keys, struct macro *m)
{
    struct str digits = m->digest;
    if (keys && !signed_digits(arena, keys, m->digest, &digits))
        return false;
    size_t len = m->tool.len < SLUG_MAX ? m->tool.len : SLUG_MAX;
    char *id = mgi_arena_alloc(arena, len + 1 + ID_DIGITS + 1);
    if (!id)
        return false;
    for (size_t i = 0; i < len; i++)
        id[i] = m->tool.ptr[i] == '_' ? '-' : m->tool.ptr[i];
    id[len] = '-';
    memcpy(id + len + 1, digits.ptr, ID_DIGITS);
    id[len + 1 + ID_DIGITS] = '\0';
    m->macro_id = (struct str){ id, len + 1 + ID_DIGITS };
    return true;
}
