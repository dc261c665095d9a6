/* Values as bytes: what a saved base holds of them (run/base_saved.h has the form). */
#include "mangle/value/value_int.h"

static void put_saved_word(struct buf *out, uint32_t word)
{
    mgi_buf_append(out, &word, sizeof word);
}

static void put_saved_text(struct buf *out, struct str s)
{
    static const char zeros[sizeof(uint32_t)];
    mgi_buf_str(out, s);
    mgi_buf_append(out, zeros, (0 - s.len) % sizeof zeros);
}

size_t mgi_values_count(const mangle_values *t)
{
    return t->count;
}

bool mgi_value_is_there(const mangle_values *t, mangle_value v)
{
    if (mgi_value_is_small(v))
        return true;
    return v != MANGLE_NONE && v < t->count && (t->entries[v].shape & 0xff) != KIND_ITEM;
}

size_t mgi_values_put(struct buf *out, const mangle_values *t, size_t at)
{
    const struct value_entry *e = &t->entries[at];
    enum mangle_kind kind = entry_kind(e);
    put_saved_word(out, kind);
    put_saved_word(out, e->count);
    switch (kind) {
    case MANGLE_NAME:
    case MANGLE_STRING:
    case MANGLE_BYTES:
        put_saved_text(out, entry_text(e));
        return at + 1;
    case MANGLE_PAIR:
    case MANGLE_LIST:
        put_saved_word(out, e->cell.first);
        put_saved_word(out, e->cell.second);
        return at + 1;
    case MANGLE_MAP:
    case MANGLE_STRUCT:
        for (uint32_t i = 1; i <= e->count; i++) {
            put_saved_word(out, e[i].cell.first);
            put_saved_word(out, e[i].cell.second);
        }
        return at + 1 + e->count;
    default:
        mgi_buf_append(out, &e->integer, sizeof e->integer);
        return at + 1;
    }
}
