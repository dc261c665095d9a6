/* What a model was shown in a conversation: a ring of digests, the eldest of which are forgotten
 * first, and the texts of skills. A digest is half of a SHA-256, so that nobody can make a text
 * that passes for another one. Looking one up walks the ring: some microseconds at most. */
#include "base/alloc.h"
#include "render/render_int.h"

#define MARKS       4096
#define SKILLS      256
#define SKILL_BYTES (1U << 20)

struct manglecp_shown {
    struct mark *marks;
    size_t count, cap, eldest; /* eldest: where the ring goes on once it is full */
    struct skill_text *skills; /* the eldest first; name and text are one block, at name.ptr */
    size_t skill_count, skill_cap, skill_bytes;
};

manglecp_shown *manglecp_shown_new(void)
{
    return mgi_calloc(1, sizeof(manglecp_shown));
}

void manglecp_shown_free(manglecp_shown *shown)
{
    if (!shown)
        return;
    for (size_t i = 0; i < shown->skill_count; i++)
        mgi_free((void *)(uintptr_t)shown->skills[i].name.ptr);
    mgi_free(shown->skills);
    mgi_free(shown->marks);
    mgi_free(shown);
}

void manglecp_shown_forget(manglecp_shown *shown)
{
    shown->count = shown->eldest = 0;
}

/* ---- marks ----------------------------------------------------------------------------------- */

static struct mark *find_mark(const struct manglecp_shown *shown, const struct mark *mark)
{
    for (size_t i = 0; i < shown->count; i++)
        if (memcmp(shown->marks[i].thing, mark->thing, sizeof mark->thing) == 0)
            return &shown->marks[i];
    return NULL;
}

bool mgi_shown_has(const struct manglecp_shown *shown, const struct mark *mark)
{
    const struct mark *found = shown ? find_mark(shown, mark) : NULL;
    return found && memcmp(found->seen, mark->seen, sizeof mark->seen) == 0;
}

static void store_mark(struct manglecp_shown *shown, const struct mark *mark)
{
    struct mark *at = find_mark(shown, mark);
    if (!at && shown->count < MARKS) {
        at = &shown->marks[shown->count++];
    } else if (!at) {
        at = &shown->marks[shown->eldest];
        shown->eldest = (shown->eldest + 1) % MARKS;
    }
    *at = *mark;
}

static bool make_room(struct manglecp_shown *shown, size_t more)
{
    size_t need = shown->count + more < MARKS ? shown->count + more : MARKS;
    return mgi_grow(&shown->marks, &shown->cap, need, sizeof *shown->marks);
}

/* ---- skills ---------------------------------------------------------------------------------- */

const struct skill_text *mgi_shown_skill(const struct manglecp_shown *shown, struct str name)
{
    for (size_t i = 0; shown && i < shown->skill_count; i++)
        if (str_eq(shown->skills[i].name, name))
            return &shown->skills[i];
    return NULL;
}

static void drop_skill(struct manglecp_shown *shown, size_t i)
{
    struct skill_text *s = &shown->skills[i];
    shown->skill_bytes -= s->name.len + s->text.len;
    mgi_free((void *)(uintptr_t)s->name.ptr);
    shown->skill_count--;
    memmove(s, s + 1, (shown->skill_count - i) * sizeof *s);
}

/* False: memory. */
static bool copy_skill(const struct skill_text *from, struct skill_text *to)
{
    char *block = mgi_alloc(from->name.len + from->text.len + 1);
    if (!block)
        return false;
    if (from->name.len)
        memcpy(block, from->name.ptr, from->name.len);
    if (from->text.len)
        memcpy(block + from->name.len, from->text.ptr, from->text.len);
    *to = (struct skill_text){ { block, from->name.len },
                               { block + from->name.len, from->text.len },
                               from->summary };
    return true;
}

/* `copy` is taken over. A summary does not take the place of the text. */
static void store_skill(struct manglecp_shown *shown, const struct skill_text *copy)
{
    const struct skill_text *known = mgi_shown_skill(shown, copy->name);
    size_t bytes = copy->name.len + copy->text.len;
    if (bytes > SKILL_BYTES || (known && copy->summary && !known->summary)) {
        mgi_free((void *)(uintptr_t)copy->name.ptr);
        return;
    }
    if (known)
        drop_skill(shown, (size_t)(known - shown->skills));
    while (shown->skill_count > 0 &&
           (shown->skill_count == SKILLS || shown->skill_bytes + bytes > SKILL_BYTES))
        drop_skill(shown, 0);
    shown->skills[shown->skill_count++] = *copy;
    shown->skill_bytes += bytes;
}

static bool keep_skills(struct manglecp_shown *shown, const struct skill_text *skills, size_t count)
{
    size_t need = shown->skill_count + count < SKILLS ? shown->skill_count + count : SKILLS;
    struct skill_text *copies = NULL;
    size_t cap = 0, copied = 0;
    bool ok = count == 0 || (mgi_grow(&copies, &cap, count, sizeof *copies) &&
                             mgi_grow(&shown->skills, &shown->skill_cap, need, sizeof *copies));
    while (ok && copied < count && (ok = copy_skill(&skills[copied], &copies[copied])))
        copied++;
    for (size_t i = 0; i < copied; i++)
        if (ok)
            store_skill(shown, &copies[i]);
        else
            mgi_free((void *)(uintptr_t)copies[i].name.ptr);
    mgi_free(copies);
    return ok;
}

bool mgi_shown_keep(struct manglecp_shown *shown, const struct mark *marks, size_t count,
                    const struct skill_text *skills, size_t skill_count)
{
    if (!make_room(shown, count) || !keep_skills(shown, skills, skill_count))
        return false;
    for (size_t i = 0; i < count; i++)
        store_mark(shown, &marks[i]);
    return true;
}
