/* See splice.h: the main lines over both forms. */
#include "splice/splice_int.h"

#include <stdio.h>

static enum splice_status refuse_whole(struct splice_fault *fault, const char *message)
{
    *fault = (struct splice_fault){ 0 };
    snprintf(fault->message, sizeof fault->message, "%s", message);
    return SPLICE_REFUSED;
}

static enum splice_status read_toml(struct str text, struct arena *arena, struct json *out,
                                    struct splice_fault *fault)
{
    struct buf json = { 0 };
    const struct json_options options = { .max_depth = SPLICE_DEPTH + 8 };
    enum splice_status st = mgi_splice_parse_toml(arena, text, &json, NULL, fault);
    struct str kept = { NULL, 0 };
    if (!st && !json.oom)
        kept = mgi_arena_str(arena, mgi_buf_view(&json));
    mgi_buf_wipe(&json);
    if (!st && !kept.ptr)
        st = SPLICE_NOMEM;
    if (!st) {
        struct json_error error;
        enum json_fault bad = mgi_json_parse(arena, kept, &options, out, &error);
        if (bad == JSON_NOMEM)
            st = SPLICE_NOMEM;
        else if (bad)
            st = refuse_whole(fault, error.message);
    }
    return st;
}

enum splice_status mgi_splice_read(enum splice_form form, struct str text, struct arena *arena,
                                   struct json *out, struct splice_fault *fault)
{
    struct plain_json p;
    if (text.len > SPLICE_BYTES)
        return refuse_whole(fault, "it is larger than 16 MiB");
    if (form == SPLICE_TOML)
        return read_toml(text, arena, out, fault);
    enum splice_status st =
        mgi_splice_parse_json(arena, form == SPLICE_JSON_COMMENTS, text, &p, fault);
    if (st)
        return st;
    *out = p.root.type == JSON_NULL ? (struct json){ .type = JSON_OBJECT } : p.root;
    return SPLICE_DONE;
}

/* What came out is what was meant: else nothing is given out. */
static enum splice_status check(enum splice_form form, struct str text,
                                const struct splice_place *place, const struct json *value,
                                struct arena *arena, struct splice_fault *fault)
{
    struct json root;
    enum splice_status st = mgi_splice_read(form, text, arena, &root, fault);
    if (st == SPLICE_NOMEM)
        return st;
    const struct json *now =
        st ? NULL : mgi_json_get_str(mgi_json_get_str(&root, place->section), place->name);
    if (!st && (value ? now && mgi_json_equal(now, value, true) : !now))
        return SPLICE_DONE;
    return refuse_whole(fault, "the entry is written in a form that is not edited here");
}

static struct str behind(const struct buf *out, size_t before)
{
    struct str all = mgi_buf_view(out);
    return (struct str){ all.ptr + before, all.len - before };
}

/* With the entry `value`, or without the entry where that is NULL. */
static enum splice_status splice_json(struct arena *arena, bool comments, struct str text,
                                      const struct splice_place *place, const struct json *value,
                                      bool *section, struct buf *out, struct splice_fault *fault)
{
    struct plain_json p;
    enum splice_status st = mgi_splice_parse_json(arena, comments, text, &p, fault);
    if (st)
        return st;
    return value ? mgi_splice_put_json(arena, &p, place, value, out, section, fault)
                 : mgi_splice_take_json(&p, place, *section, out);
}

static enum splice_status splice_toml(struct arena *arena, struct str text,
                                      const struct splice_place *place, const struct json *value,
                                      bool *section, struct buf *out, struct splice_fault *fault)
{
    return value ? mgi_splice_put_toml(arena, text, place, value, out, section, fault)
                 : mgi_splice_take_toml(arena, text, place, out, fault);
}

/* *section: of what is put in, was it made; of what is taken out, shall it go, too. */
static enum splice_status change(enum splice_form form, struct str text,
                                 const struct splice_place *place, const struct json *value,
                                 bool *section, struct buf *out, struct splice_fault *fault)
{
    struct arena arena;
    size_t before = out->len;
    if (text.len > SPLICE_BYTES)
        return refuse_whole(fault, "it is larger than 16 MiB");
    mgi_arena_init(&arena, 0);
    enum splice_status st = form == SPLICE_TOML
                                ? splice_toml(&arena, text, place, value, section, out, fault)
                                : splice_json(&arena, form == SPLICE_JSON_COMMENTS, text, place,
                                              value, section, out, fault);
    if (!st && out->oom)
        st = SPLICE_NOMEM;
    if (!st)
        st = check(form, behind(out, before), place, value, &arena, fault);
    mgi_arena_fini(&arena);
    return st;
}

enum splice_status mgi_splice_put(enum splice_form form, struct str text,
                                  const struct splice_place *place, const struct json *value,
                                  struct buf *out, bool *made_section, struct splice_fault *fault)
{
    bool made = false;
    enum splice_status st = change(form, text, place, value, &made, out, fault);
    if (made_section)
        *made_section = made;
    return st;
}

enum splice_status mgi_splice_take(enum splice_form form, struct str text,
                                   const struct splice_place *place, bool with_section,
                                   struct buf *out, struct splice_fault *fault)
{
    return change(form, text, place, NULL, &with_section, out, fault);
}
