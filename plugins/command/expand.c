/* Words out of templates and values: see expand.h. */
#include "expand.h"

#include <string.h>

struct expanding {
    struct arena *arena;
    const struct command *command;
    const struct json *arguments;
    struct str element_of;      /* the list whose elements are walked through, and */
    const struct json *element; /* the one of them that is meant */
    char **argv;
    size_t count, cap, bytes;
    bool after_dashes; /* a literal "--" stands before: nothing behind it is an option */
    const char *why;
};

static bool refuse(struct expanding *e, const char *text, struct str name)
{
    if (!e->why) {
        e->why = mgi_arena_printf(e->arena, text, STR_ARG(name));
        if (!e->why)
            e->why = "out of memory";
    }
    return false;
}

/* The value of an argument, or NULL: it has none. */
static const struct json *value_of(const struct expanding *e, struct str name)
{
    if (e->element && str_eq(name, e->element_of))
        return e->element;
    const struct json *v = mgi_json_get_str(e->arguments, name);
    if (!v || v->type == JSON_NULL)
        v = mgi_json_get_str(&e->command->defaults, name);
    return v && v->type != JSON_NULL ? v : NULL;
}

/* As text: what a text holds, what a number or a truth value is spelled like. */
static bool text_of(struct expanding *e, struct str name, struct str *out)
{
    const struct json *v = value_of(e, name);
    if (!v)
        return refuse(e, "the argument \"%.*s\" is missing", name);
    if (v->type == JSON_ARRAY || v->type == JSON_OBJECT)
        return refuse(e, "the argument \"%.*s\" must be one value", name);
    *out = v->type == JSON_STRING ? v->string : v->text;
    if (memchr(out->ptr ? out->ptr : "", '\0', out->len))
        return refuse(e, "the argument \"%.*s\" holds a NUL, which no program can be given", name);
    return true;
}

/* The parts joined. *from_value: its first byte came from a value that must not begin an option. */
static bool join(struct expanding *e, const struct word *word, size_t most, struct str *out,
                 struct str *from_value)
{
    struct buf text = { .limit = most };
    *from_value = (struct str){ NULL, 0 };
    for (size_t i = 0; i < word->part_count && !e->why; i++) {
        const struct part *p = &word->parts[i];
        struct str value = p->text;
        if (p->is_argument && !text_of(e, p->text, &value))
            break;
        if (p->is_argument && !p->may_be_option && text.len == 0 && value.len > 0)
            *from_value = p->text;
        mgi_buf_str(&text, value);
    }
    *out = e->why ? (struct str){ NULL, 0 } : mgi_arena_str(e->arena, mgi_buf_view(&text));
    if (text.full)
        refuse(e, "its arguments are too long%.*s", STR_LIT(""));
    else if (text.oom || !out->ptr)
        refuse(e, "out of memory%.*s", STR_LIT(""));
    mgi_buf_fini(&text);
    return !e->why;
}

static bool add_word(struct expanding *e, const struct word *word)
{
    struct str text, from_value;
    if (!join(e, word, EXPAND_MAX_WORD - 1, &text, &from_value))
        return false;
    if (from_value.ptr && text.ptr[0] == '-' && !e->after_dashes)
        return refuse(e,
                      "the argument \"%.*s\" begins with '-', so the program would take it for an "
                      "option",
                      from_value);
    if (!e->after_dashes && word->part_count == 1 && !word->parts[0].is_argument &&
        str_is(text, "--"))
        e->after_dashes = true;
    e->bytes += text.len + 1;
    if (e->count == EXPAND_MAX_WORDS || e->bytes > EXPAND_MAX_BYTES)
        return refuse(e, "its arguments are too many, or too long%.*s", STR_LIT(""));
    if (!mgi_arena_grow(e->arena, &e->argv, &e->cap, e->count + 2, sizeof *e->argv))
        return refuse(e, "out of memory%.*s", STR_LIT(""));
    e->argv[e->count++] = (char *)(uintptr_t)text.ptr;
    e->argv[e->count] = NULL;
    return true;
}

static bool add_each(struct expanding *e, const struct word *word)
{
    const struct json *list = value_of(e, word->name);
    if (!list)
        return true;
    if (list->type != JSON_ARRAY)
        return refuse(e, "the argument \"%.*s\" must be a list", word->name);
    for (uint32_t i = 0; i < list->count; i++) {
        e->element_of = word->name;
        e->element = &list->items[i];
        bool good = add_word(e, word);
        e->element = NULL;
        if (!good)
            return false;
    }
    return true;
}

static bool add_simple(struct expanding *e, const struct word *word)
{
    return word->kind == WORD_EACH ? add_each(e, word) : add_word(e, word);
}

/* A condition holds if there is a value, and not `false`. */
static bool holds(const struct expanding *e, struct str name)
{
    const struct json *v = value_of(e, name);
    return v && !(v->type == JSON_BOOL && !v->boolean);
}

static bool add_all(struct expanding *e)
{
    for (size_t i = 0; i < e->command->word_count; i++) {
        const struct word *word = &e->command->words[i];
        if (word->kind != WORD_IF) {
            if (!add_simple(e, word))
                return false;
            continue;
        }
        for (size_t k = 0; k < word->then_count && holds(e, word->name); k++)
            if (!add_simple(e, &word->then[k]))
                return false;
    }
    return true;
}

/* ---- standard input and folder -------------------------------------------------------------- */

static bool is_chosen(const struct command *c, struct str name)
{
    for (size_t i = 0; i < c->stdin_name_count; i++)
        if (str_eq(c->stdin_names[i], name))
            return true;
    return !c->stdin_names;
}

static void write_members(struct json_writer *w, const struct command *c, const struct json *object,
                          const struct json *but)
{
    for (uint32_t i = 0; object->type == JSON_OBJECT && i < object->count; i++) {
        const struct json_member *m = &object->members[i];
        if (!is_chosen(c, m->name) || (but && mgi_json_get_str(but, m->name)))
            continue;
        mgi_jw_key_str(w, m->name);
        mgi_jw_value(w, &m->value);
    }
}

/* The arguments as one JSON object, and a line feed. */
static bool write_json(struct expanding *e, struct str *out)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    write_members(&w, e->command, e->arguments, NULL);
    write_members(&w, e->command, &e->command->defaults, e->arguments);
    mgi_jw_end_object(&w);
    mgi_buf_putc(&text, '\n');
    *out = text.oom ? (struct str){ NULL, 0 } : mgi_arena_str(e->arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return out->ptr ? true : refuse(e, "out of memory%.*s", STR_LIT(""));
}

static bool expand_input(struct expanding *e, struct str *out)
{
    struct str from_value;
    *out = STR_LIT("");
    if (e->command->stdin_kind == STDIN_JSON)
        return write_json(e, out);
    return e->command->stdin_kind == STDIN_NONE ||
           join(e, &e->command->stdin_text, EXPAND_MAX_BYTES, out, &from_value);
}

static bool expand_folder(struct expanding *e, const char *base, const char **out)
{
    struct str text, from_value;
    *out = base;
    if (!e->command->has_folder)
        return true;
    if (!join(e, &e->command->folder, 4095, &text, &from_value))
        return false;
    *out = text.len > 0 && text.ptr[0] == '/'
               ? text.ptr
               : mgi_arena_printf(e->arena, "%s/%.*s", base, STR_ARG(text));
    return *out ? true : refuse(e, "out of memory%.*s", STR_LIT(""));
}

const char *mgi_command_expand(struct arena *arena, const struct command_table *table,
                               const struct command *command, const struct json *arguments,
                               struct expansion *out)
{
    struct expanding e = { .arena = arena, .command = command, .arguments = arguments };
    *out = (struct expansion){ 0 };
    if (add_all(&e) && expand_input(&e, &out->input) &&
        expand_folder(&e, table->folder, &out->folder))
        out->argv = e.argv;
    return e.why;
}
