/* What made the objects that pile up: the browser's samples of what was allocated and has stayed,
 * summed up by function. It takes them only once a page was seen to grow. */
#include "live_int.h"

#define DEPTH_MOST  100 /* of a stack; what is deeper counts for nobody */
#define PLACES_MOST 64
#define PLACES_TOLD 3
#define FRAMES_TOLD 6
#define LEAST_BYTES 60000

/* A function, and the way to it on which most was allocated. */
struct holder {
    const struct json *frame, *way[FRAMES_TOLD]; /* innermost first */
    size_t ways;
    double bytes, most;
};

struct walk {
    const struct json *nodes[DEPTH_MOST]; /* from the outermost */
    uint32_t next[DEPTH_MOST];            /* of its children */
    size_t depth;
    struct holder holders[PLACES_MOST];
    size_t count;
};

static const struct json *frame_of(const struct json *node)
{
    return mgi_json_get(node, "callFrame");
}

static bool has_address(const struct json *frame)
{
    return mgi_member_string(frame, "url").len > 0;
}

static bool same_frame(const struct json *a, const struct json *b)
{
    return str_eq(mgi_member_string(a, "functionName"), mgi_member_string(b, "functionName")) &&
           str_eq(mgi_member_string(a, "url"), mgi_member_string(b, "url")) &&
           mgi_member_whole(a, "lineNumber", -1) == mgi_member_whole(b, "lineNumber", -1);
}

/* NULL: there are too many. */
static struct holder *holder_of(struct walk *w, const struct json *frame)
{
    for (size_t i = 0; i < w->count; i++)
        if (same_frame(w->holders[i].frame, frame))
            return &w->holders[i];
    if (w->count == PLACES_MOST)
        return NULL;
    w->holders[w->count] = (struct holder){ .frame = frame };
    return &w->holders[w->count++];
}

/* What built-in functions made counts for whoever called them. */
static void count_node(struct walk *w)
{
    double bytes = mgi_member_number(w->nodes[w->depth - 1], "selfSize", 0);
    size_t at = w->depth;
    while (at > 0 && !has_address(frame_of(w->nodes[at - 1])))
        at--;
    struct holder *h = at > 0 && bytes > 0 ? holder_of(w, frame_of(w->nodes[at - 1])) : NULL;
    if (!h)
        return;
    h->bytes += bytes;
    if (bytes <= h->most)
        return;
    h->most = bytes;
    h->ways = 0;
    for (; at > 0 && h->ways < FRAMES_TOLD; at--)
        if (has_address(frame_of(w->nodes[at - 1])))
            h->way[h->ways++] = frame_of(w->nodes[at - 1]);
}

static void enter(struct walk *w, const struct json *node)
{
    w->next[w->depth] = 0;
    w->nodes[w->depth++] = node;
    count_node(w);
}

static void walk_all(struct walk *w, const struct json *head)
{
    enter(w, head);
    while (w->depth > 0) {
        const struct json *children = mgi_json_get(w->nodes[w->depth - 1], "children");
        uint32_t at = w->next[w->depth - 1]++;
        if (!children || children->type != JSON_ARRAY || at >= children->count)
            w->depth--;
        else if (w->depth < DEPTH_MOST)
            enter(w, &children->items[at]);
    }
}

static void note_holder(struct live *l, const struct holder *h, double t)
{
    struct buf text;
    struct json_writer w;
    struct arena arena;
    struct json told;
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "k", "held");
    mgi_jw_member_int(&w, "bytes", h->bytes < 1e15 ? (int64_t)h->bytes : 0);
    mgi_jw_key(&w, "stackTrace");
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "callFrames");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < h->ways; i++)
        mgi_jw_value(&w, h->way[i]);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    mgi_arena_init(&arena, 1u << 20);
    if (mgi_json_take(&arena, &text, &told))
        mgi_trace_add(l->trace, t, STR_LIT("p"), STR_LIT("Machina.held"), &told);
    mgi_arena_fini(&arena);
}

void mgi_live_note_held(struct live *l, struct arena *arena, const struct json *profile, double t)
{
    const struct json *head = mgi_json_get(profile, "head");
    struct walk *w = head ? mgi_arena_calloc(arena, 1, sizeof *w) : NULL;
    if (!w)
        return;
    walk_all(w, head);
    for (int told = 0; told < PLACES_TOLD; told++) {
        struct holder *most = NULL;
        for (size_t i = 0; i < w->count; i++)
            if (w->holders[i].bytes >= LEAST_BYTES && (!most || w->holders[i].bytes > most->bytes))
                most = &w->holders[i];
        if (!most)
            return;
        note_holder(l, most, t);
        most->bytes = 0;
    }
}
