/* Sealed files: a header, a table sorted by key, bytes. See the header of the room. */
#include "base/sealed.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#define MAGIC      "\x89MGSEAL\n" /* a byte above 127 and a line end: no text, and not sent as one */
#define ORDER      UINT32_C(0x04030201)
#define ALIGNED_TO ((size_t)8)

struct sealed_head {
    char magic[8];
    uint32_t order, count;
    uint64_t length, checksum; /* of the whole file; of all that follows, count and length */
    char kind[SEALED_KIND_BYTES];
    char maker[SEALED_MAKER_BYTES];
};
struct sealed_row {
    uint8_t key[SEALED_KEY_BYTES];
    uint64_t offset, length;
};

static_assert(sizeof(struct sealed_head) == SEALED_HEAD_BYTES && sizeof(struct sealed_row) == 48,
              "the layout of the file");

static size_t aligned(size_t len)
{
    return (len + ALIGNED_TO - 1) & ~(ALIGNED_TO - 1);
}

/* Each step is a bijection of the word and of the state, so no change of a single word is missed.
 * `len` is a multiple of 8: so are header, rows and padded bytes. */
static uint64_t sum_words(uint64_t state, const char *bytes, size_t len)
{
    for (size_t i = 0; i + ALIGNED_TO <= len; i += ALIGNED_TO) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        state = (state ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        state ^= state >> 29;
    }
    return state;
}

static_assert(offsetof(struct sealed_head, checksum) == SEALED_CHECKSUM_AT, "as the header says");

uint64_t mgi_sealed_checksum(struct str file)
{
    struct sealed_head head;
    size_t from = offsetof(struct sealed_head, kind);
    memcpy(&head, file.ptr, sizeof head);
    const uint64_t counted[] = { head.count, head.length };
    return sum_words(sum_words(1, (const char *)counted, sizeof counted), file.ptr + from,
                     file.len - from);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int compare_entries(const void *a, const void *b)
{
    return memcmp(((const struct sealed_entry *)a)->key, ((const struct sealed_entry *)b)->key,
                  SEALED_KEY_BYTES);
}

static size_t drop_twins(struct sealed_entry *entries, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_entries(&entries[kept - 1], &entries[i]) != 0)
            entries[kept++] = entries[i];
    return kept;
}

static void fill(char *to, size_t room, const char *text)
{
    size_t len = strlen(text);
    memcpy(to, text, len < room ? len : room - 1); /* it was zero before */
}

void mgi_sealed_write(struct buf *out, const char *kind, const char *maker,
                      struct sealed_entry *entries, size_t count)
{
    static const char zeros[ALIGNED_TO];
    if (count > 1)
        qsort(entries, count, sizeof *entries, compare_entries);
    count = drop_twins(entries, count);
    size_t start = out->len, at = sizeof(struct sealed_head) + count * sizeof(struct sealed_row);
    struct sealed_head head = { .order = ORDER, .count = (uint32_t)count };
    memcpy(head.magic, MAGIC, sizeof head.magic);
    fill(head.kind, sizeof head.kind, kind);
    fill(head.maker, sizeof head.maker, maker);
    mgi_buf_append(out, &head, sizeof head);
    for (size_t i = 0; i < count; i++) {
        struct sealed_row row = { .offset = at, .length = entries[i].bytes.len };
        memcpy(row.key, entries[i].key, sizeof row.key);
        mgi_buf_append(out, &row, sizeof row);
        at += aligned(entries[i].bytes.len);
    }
    for (size_t i = 0; i < count; i++) {
        size_t len = entries[i].bytes.len;
        mgi_buf_str(out, entries[i].bytes);
        mgi_buf_append(out, zeros, aligned(len) - len);
    }
    if (out->oom)
        return;
    head.length = at;
    memcpy(out->ptr + start, &head, sizeof head);
    head.checksum = mgi_sealed_checksum((struct str){ out->ptr + start, at });
    memcpy(out->ptr + start, &head, sizeof head);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const struct sealed_row *rows_of(const struct sealed *s)
{
    return (const struct sealed_row *)(const void *)(s->file.ptr + sizeof(struct sealed_head));
}

/* Keys ascend, and what they stand for lies behind the table and inside the file. */
static bool rows_are_good(const struct sealed *s)
{
    const struct sealed_row *rows = rows_of(s);
    size_t first = sizeof(struct sealed_head) + s->count * sizeof *rows;
    for (size_t i = 0; i < s->count; i++) {
        uint64_t offset = rows[i].offset;
        if (offset < first || offset > s->file.len || offset % ALIGNED_TO != 0 ||
            rows[i].length > s->file.len - offset)
            return false;
        if (i > 0 && memcmp(rows[i - 1].key, rows[i].key, SEALED_KEY_BYTES) >= 0)
            return false;
    }
    return true;
}

static bool is_said(const char *field, size_t room, const char *wanted)
{
    char expected[SEALED_MAKER_BYTES] = { 0 };
    fill(expected, room, wanted);
    return memcmp(field, expected, room) == 0;
}

/* False: `why` says what is wrong. */
static bool take_head(struct str file, struct sealed_head *head, const char **why)
{
    *why = NULL;
    if (file.len < sizeof *head || memcmp(file.ptr, MAGIC, sizeof head->magic) != 0) {
        *why = "it is no such file";
        return false;
    }
    memcpy(head, file.ptr, sizeof *head);
    if (head->order != ORDER)
        *why = "it was made on a machine with another byte order";
    return !*why;
}

static const char *length_fault(const struct sealed_head *head, uint64_t len)
{
    return head->length != len || len % ALIGNED_TO != 0 ? "it is not whole" : NULL;
}

const char *mgi_sealed_look(struct str start, uint64_t len)
{
    struct sealed_head head;
    const char *why;
    return take_head(start, &head, &why) ? length_fault(&head, len) : why;
}

const char *mgi_sealed_open(struct str file, const char *kind, const char *maker,
                            struct sealed *out)
{
    struct sealed_head head;
    *out = (struct sealed){ .file = { "", 0 } };
    const char *why;
    if (!take_head(file, &head, &why))
        return why;
    if (!is_said(head.kind, sizeof head.kind, kind))
        return "it is of another kind";
    if (!is_said(head.maker, sizeof head.maker, maker))
        return "another version of the program made it";
    if ((why = length_fault(&head, file.len)))
        return why;
    if (head.count > (file.len - sizeof head) / sizeof(struct sealed_row) ||
        head.checksum != mgi_sealed_checksum(file))
        return "it is damaged";
    struct sealed s = { .file = file, .count = head.count };
    if (!rows_are_good(&s))
        return "it is damaged";
    *out = s;
    return NULL;
}

bool mgi_sealed_find(const struct sealed *s, const uint8_t key[SEALED_KEY_BYTES], struct str *bytes)
{
    size_t from = 0, to = s->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const struct sealed_row *row = &rows_of(s)[middle];
        int order = memcmp(key, row->key, SEALED_KEY_BYTES);
        if (order == 0) {
            *bytes = (struct str){ s->file.ptr + row->offset, (size_t)row->length };
            return true;
        }
        *(order < 0 ? &to : &from) = order < 0 ? middle : middle + 1;
    }
    return false;
}
