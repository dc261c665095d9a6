/* What the rules were told, as JSON for the store. */
#include "macro/told.h"

#include "base/buf.h"
#include "base/encode.h"
#include "macro/macro_int.h"
#include "sys/digest.h"

#define PREFIX "told:" /* of the names of such texts in the store */

void mgi_told_write(struct buf *out, const struct told *t)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "who", t->who);
    mgi_jw_member_str(&w, "intent", t->intent);
    if (t->params) {
        mgi_jw_key(&w, "params");
        mgi_jw_raw(&w, t->params->text);
    }
    mgi_jw_key(&w, "facts");
    mgi_jw_begin_array(&w);
    for (uint32_t i = 0; i < t->facts->count; i++)
        if (t->facts->items[i].type != JSON_NULL)
            mgi_jw_raw(&w, t->facts->items[i].text);
    mgi_jw_end_array(&w);
    mgi_jw_member_int(&w, "at", t->at_ns);
    mgi_jw_member_int(&w, "max_tools", t->max_tools);
    mgi_jw_member_bool(&w, "adaptive", t->adaptive);
    mgi_jw_end_object(&w);
}

bool mgi_told_read(struct arena *arena, struct str text, struct told *out)
{
    struct json *root = mgi_arena_calloc(arena, 1, sizeof *root);
    if (!root)
        return false;
    enum json_fault fault = mgi_json_parse(arena, text, NULL, root, NULL);
    arena->oom |= fault == JSON_NOMEM;
    if (fault != JSON_OK)
        return false;
    const struct json *who = mgi_macro_member(root, "who", JSON_STRING);
    const struct json *intent = mgi_macro_member(root, "intent", JSON_STRING);
    const struct json *facts = mgi_macro_member(root, "facts", JSON_ARRAY);
    const struct json *at = mgi_macro_member(root, "at", JSON_INT);
    const struct json *max_tools = mgi_macro_member(root, "max_tools", JSON_INT);
    const struct json *adaptive = mgi_macro_member(root, "adaptive", JSON_BOOL);
    if (!who || !intent || !facts || !at || !max_tools || !adaptive)
        return false;
    *out = (struct told){ who->string,
                          intent->string,
                          mgi_macro_member(root, "params", JSON_OBJECT),
                          facts,
                          at->integer,
                          max_tools->integer,
                          adaptive->boolean };
    return true;
}

struct str mgi_told_name(struct arena *arena, struct str text)
{
    uint8_t digest[SHA256_BYTES];
    char name[sizeof PREFIX + 2 * SHA256_BYTES] = PREFIX;
    if (!mgi_sha256(text.ptr, text.len, digest))
        return (struct str){ 0 };
    mgi_hex(digest, sizeof digest, name + sizeof PREFIX - 1);
    return mgi_arena_str(arena, str_of(name));
}
