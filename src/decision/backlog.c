/* Pieces of memory full of lines: see the header. One piece that was written is kept, so that a
 * server in its usual round allocates nothing. */
#include "decision/backlog.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#define PIECE_BYTES ((size_t)256 << 10) /* of lines: one write */
#define LOST_BYTES  80                  /* of the line that says that some are missing */

void mgi_backlog_init(struct backlog *b, size_t max_bytes)
{
    *b = (struct backlog){ .max_bytes = max_bytes };
}

void mgi_backlog_fini(struct backlog *b)
{
    for (struct backlog_piece *next; b->first; b->first = next) {
        next = b->first->next;
        mgi_free(b->first);
    }
    mgi_free(b->spare);
    mgi_backlog_init(b, b->max_bytes);
}

static size_t usual_bytes(const struct backlog *b)
{
    return b->max_bytes / 4 < PIECE_BYTES ? b->max_bytes / 4 : PIECE_BYTES;
}

static struct backlog_piece *new_piece(struct backlog *b, size_t len)
{
    struct backlog_piece *piece = b->spare;
    size_t cap = len > usual_bytes(b) ? len : usual_bytes(b), held = sizeof *piece + cap;
    if (b->bytes + held > b->max_bytes)
        return NULL;
    if (piece && piece->cap >= len)
        b->spare = NULL;
    else
        piece = mgi_alloc(held);
    if (piece) {
        *piece = (struct backlog_piece){ .cap = cap };
        b->bytes += held;
    }
    return piece;
}

static struct backlog_piece *add_piece(struct backlog *b, size_t len)
{
    struct backlog_piece *piece = new_piece(b, len + (b->untold > 0 ? LOST_BYTES : 0));
    if (!piece)
        return NULL;
    if (b->last)
        b->last->next = piece;
    else
        b->first = piece;
    b->last = piece;
    piece->lost = b->untold;
    if (b->untold > 0)
        piece->len = (size_t)snprintf(
            piece->text, LOST_BYTES, "{\"decision\":1,\"kind\":\"lost\",\"records\":%" PRIu64 "}\n",
            b->untold);
    b->untold = 0;
    b->waiting += piece->len;
    return piece;
}

void mgi_backlog_lose(struct backlog *b, uint64_t records)
{
    b->lost += records;
    b->untold += records;
}

bool mgi_backlog_add(struct backlog *b, struct str line)
{
    struct backlog_piece *piece = b->last;
    if (!piece || piece->cap - piece->len < line.len || b->untold > 0)
        piece = add_piece(b, line.len);
    if (!piece) {
        mgi_backlog_lose(b, 1);
        return false;
    }
    memcpy(piece->text + piece->len, line.ptr, line.len);
    piece->len += line.len;
    b->waiting += line.len;
    return true;
}

struct backlog_piece *mgi_backlog_take(struct backlog *b)
{
    if (b->untold > 0)
        (void)add_piece(b, 0);
    struct backlog_piece *pieces = b->first;
    b->first = b->last = NULL;
    return pieces;
}

void mgi_backlog_free_piece(struct backlog *b, struct backlog_piece *piece)
{
    b->bytes -= sizeof *piece + piece->cap;
    b->waiting -= piece->len;
    if (b->spare || piece->cap != usual_bytes(b))
        mgi_free(piece);
    else
        b->spare = piece;
}
