/* The surface: constants, and a table of what each argument may be. */
#include "bridge/surface.h"

#include <stddef.h>
#include <string.h>

#include "base/near.h"

const char mgi_bridge_instructions[] =
    "Few tools that fit now, instead of all. Call intent without arguments to see what can be "
    "intended; then intent with facts, run a tool it names, follow what is suggested.";

/* STR_LIT for what is initialised before the program runs. */
#define TEXT(lit)                                                                                  \
    {                                                                                              \
        (lit), sizeof(lit) - 1                                                                     \
    }
#define WORK_PROPERTY "\"work\":{\"type\":\"string\"}"

/* X-BRIDGE-5: `run` is what it may be at worst, since the surface does not depend on the domain. */
const struct mcp_tool mgi_bridge_tools[ASK_KINDS] = {
    [ASK_INTENT] = { .name = { "intent", 6 },
                     .description = TEXT("Say what you intend and what you know; answers with "
                                         "the tools that fit now. Without arguments: lists "
                                         "intents and facts. Without work: begins new work."),
                     .input_schema = TEXT(
                         "{\"type\":\"object\",\"properties\":{\"intent\":{\"type\":\"string\"},"
                         "\"facts\":{\"type\":\"object\",\"description\":\"predicate: [args], or "
                         "[[args], "
                         "...]\"},\"forget\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
                         "\"params\":{\"type\":\"object\"}," WORK_PROPERTY "}}"),
                     .has_annotations = true,
                     .read_only = true,
                     .idempotent = true },
    [ASK_RUN] = { .name = { "run", 3 },
                  .description = TEXT("Run a tool that intent named."),
                  .input_schema =
                      TEXT("{\"type\":\"object\",\"properties\":{\"tool\":{\"type\":\"string\"},"
                           "\"args\":{\"type\":\"object\"},\"dry_run\":{\"type\":\"boolean\"}"
                           "," WORK_PROPERTY "},\"required\":[\"tool\"]}"),
                  .has_annotations = true,
                  .destructive = true,
                  .open_world = true },
    [ASK_STATE] = { .name = { "state", 5 },
                    .description = TEXT(
                        "Look at the work: follow a suggestion by number or name, read a skill, "
                        "ask why a tool is offered or not, forget facts of predicates."),
                    .input_schema = TEXT(
                        "{\"type\":\"object\",\"properties\":{\"show\":{\"enum\":[\"facts\","
                        "\"tools\",\"suggestions\",\"intents\"]},\"follow\":{\"type\":[\"integer\","
                        "\"string\"]},"
                        "\"skill\":{\"type\":\"string\"},\"why\":{\"type\":\"string\"},\"forget\":"
                        "{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"again\":{\"type\":"
                        "\"boolean\"}," WORK_PROPERTY "}}"),
                    .has_annotations = true },
};

enum ask_kind mgi_ask_kind(struct str tool)
{
    enum ask_kind kind = ASK_INTENT;
    while (kind < ASK_KINDS && !str_eq(tool, mgi_bridge_tools[kind].name))
        kind++;
    return kind;
}

/* ---- arguments ----------------------------------------------------------------------------- */

enum take {
    TAKE_STR,   /* struct str */
    TAKE_TEXT,  /* const char * */
    TAKE_JSON,  /* an object, as text */
    TAKE_FACTS, /* const struct json *: an object or an array */
    TAKE_LIST,  /* const struct json *: texts; a text is a list of one */
    TAKE_BOOL,
    TAKE_FOLLOW, /* struct follow */
    TAKE_SHOW
};

static const char *const wants[] = {
    [TAKE_STR] = "a text",
    [TAKE_TEXT] = "a text",
    [TAKE_JSON] = "an object",
    [TAKE_FACTS] = "an object, predicate: [args]",
    [TAKE_LIST] = "a list of predicates",
    [TAKE_BOOL] = "true or false",
    [TAKE_FOLLOW] = "a suggestion: its number, from 1, or its name",
    [TAKE_SHOW] = "facts, tools, suggestions or intents",
};

struct take_row {
    const char *name;
    enum take take;
    size_t offset;
    unsigned kinds; /* bits of enum ask_kind */
};

#define OF(kind) (1U << (kind))
#define ALL      (OF(ASK_INTENT) | OF(ASK_RUN) | OF(ASK_STATE))
#define AT(f)    offsetof(struct ask, f)

static const struct take_row rows[] = {
    { "work", TAKE_STR, AT(work), ALL },
    { "intent", TAKE_TEXT, AT(intent), OF(ASK_INTENT) },
    { "params", TAKE_JSON, AT(params), OF(ASK_INTENT) },
    { "facts", TAKE_FACTS, AT(facts), OF(ASK_INTENT) | OF(ASK_STATE) },
    { "tool", TAKE_TEXT, AT(tool), OF(ASK_RUN) },
    { "args", TAKE_JSON, AT(args), OF(ASK_RUN) },
    { "dry_run", TAKE_BOOL, AT(dry_run), OF(ASK_RUN) },
    { "show", TAKE_SHOW, AT(show), OF(ASK_STATE) },
    { "skill", TAKE_TEXT, AT(skill), OF(ASK_STATE) },
    { "why", TAKE_TEXT, AT(why), OF(ASK_STATE) },
    { "follow", TAKE_FOLLOW, AT(follow), OF(ASK_STATE) },
    { "forget", TAKE_LIST, AT(forget), OF(ASK_INTENT) | OF(ASK_STATE) },
    { "again", TAKE_BOOL, AT(again), OF(ASK_STATE) },
};
#define ROWS (sizeof rows / sizeof *rows)

static bool take_show(struct str word, enum ask_show *out)
{
    static const char *const words[] = { [SHOW_FACTS] = "facts",
                                         [SHOW_TOOLS] = "tools",
                                         [SHOW_SUGGESTIONS] = "suggestions",
                                         [SHOW_INTENTS] = "intents" };
    for (int i = SHOW_FACTS; i <= SHOW_INTENTS; i++)
        if (str_is(word, words[i])) {
            *out = (enum ask_show)i;
            return true;
        }
    return false;
}

static bool is_text(const struct json *v)
{
    /* what becomes a C string has no NUL in it */
    return v->type == JSON_STRING &&
           (v->string.len == 0 || !memchr(v->string.ptr, 0, v->string.len));
}

static bool is_list_of_texts(const struct json *v)
{
    if (v->type == JSON_STRING)
        return is_text(v);
    if (v->type != JSON_ARRAY)
        return false;
    for (uint32_t i = 0; i < v->count; i++)
        if (!is_text(&v->items[i]))
            return false;
    return true;
}

static bool take_follow(struct arena *arena, const struct json *v, struct follow *into)
{
    if (v->type == JSON_STRING && v->string.len > 0 && is_text(v)) {
        into->name = mgi_arena_str(arena, v->string).ptr;
        return true;
    }
    into->number = v->type == JSON_INT && v->integer >= 1 ? v->integer : 0;
    return into->number > 0;
}

/* False: it is of another kind. Memory: arena->oom. */
static bool take_value(struct arena *arena, enum take take, const struct json *v, void *into)
{
    switch (take) {
    case TAKE_STR:
        if (!is_text(v))
            return false;
        *(struct str *)into = v->string;
        return true;
    case TAKE_TEXT:
        if (!is_text(v) || v->string.len == 0)
            return false;
        *(const char **)into = mgi_arena_str(arena, v->string).ptr;
        return true;
    case TAKE_JSON:
        if (v->type != JSON_OBJECT)
            return false;
        *(const char **)into = mgi_arena_str(arena, v->text).ptr;
        return true;
    case TAKE_FACTS:
        *(const struct json **)into = v;
        return v->type == JSON_OBJECT || v->type == JSON_ARRAY;
    case TAKE_LIST:
        *(const struct json **)into = v;
        return is_list_of_texts(v);
    case TAKE_BOOL:
        *(bool *)into = v->type == JSON_BOOL && v->boolean;
        return v->type == JSON_BOOL;
    case TAKE_FOLLOW:
        return take_follow(arena, v, into);
    case TAKE_SHOW:
        return v->type == JSON_STRING && take_show(v->string, into);
    }
    return false;
}

static const struct take_row *find_row(enum ask_kind kind, struct str name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].kinds & OF(kind) && str_is(name, rows[i].name))
            return &rows[i];
    return NULL;
}

static void say_unknown(struct buf *faults, enum ask_kind kind, struct str name)
{
    struct near near = mgi_near(name);
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].kinds & OF(kind))
            (void)mgi_near_try(&near, str_of(rows[i].name));
    mgi_buf_printf(faults, "%s takes no \"%.*s\"", mgi_bridge_tools[kind].name.ptr,
                   (int)(name.len < 64 ? name.len : 64), name.ptr);
    if (near.best.len > 0)
        mgi_buf_printf(faults, "; did you mean \"%.*s\"?", STR_ARG(near.best));
    mgi_buf_putc(faults, '\n');
}

bool mgi_ask_read(struct arena *arena, enum ask_kind kind, const struct json *arguments,
                  struct ask *out, struct buf *faults)
{
    *out = (struct ask){ .kind = kind };
    for (uint32_t i = 0; i < arguments->count && faults->len < ASK_FAULT_BYTES; i++) {
        const struct json_member *m = &arguments->members[i];
        const struct take_row *row = find_row(kind, m->name);
        if (!row)
            say_unknown(faults, kind, m->name);
        else if (m->value.type == JSON_NULL)
            continue; /* models say null where they mean nothing */
        else if (!take_value(arena, row->take, &m->value, (char *)out + row->offset))
            mgi_buf_printf(faults, "\"%s\" has to be %s\n", row->name, wants[row->take]);
    }
    if (out->forget && out->forget->type == JSON_ARRAY && out->forget->count > ASK_FORGET_MOST)
        mgi_buf_puts(faults, "\"forget\" has at most 100 predicates\n");
    if (arena->oom) /* what is missing may have been there */
        mgi_buf_clear(faults);
    else if (kind == ASK_RUN && !out->tool && faults->len == 0)
        mgi_buf_puts(faults, "\"tool\" is missing: the name of one that intent answered with\n");
    else if (kind == ASK_INTENT && !out->intent && (out->facts || out->params) && faults->len == 0)
        mgi_buf_puts(faults, "\"intent\" is missing: call intent without arguments for the list\n");
    return faults->len == 0 && !arena->oom && !faults->oom;
}
