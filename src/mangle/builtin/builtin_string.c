/* Functions on strings and names (12.2). */
#include "base/utf8.h"
#include "mangle/builtin/builtin_int.h"

#define MAX_TEXT_BYTES ((size_t)1 << 28) /* replacing and joining can make more than anyone has */

/* The content of a string or name, the decimal of a number. */
static enum call_status concat_one(struct call *c, struct buf *text, mangle_value v)
{
    switch (mangle_kind_of(c->values, v)) {
    case MANGLE_STRING:
    case MANGLE_NAME:
        mgi_buf_str(text, call_text(c, v));
        return CALL_OK;
    case MANGLE_NUMBER:
        mgi_buf_int(text, mangle_int_of(c->values, v));
        return CALL_OK;
    case MANGLE_FLOAT:
        mgi_float_print(text, mangle_float_of(c->values, v));
        return CALL_OK;
    default:
        return mgi_call_mismatch(c, "fn:string:concat", "a string, a name, a number or a float", v);
    }
}

static enum call_status string_concat(struct call *c, const mangle_value *args, uint32_t count,
                                      mangle_value *out)
{
    struct buf text = { .limit = MAX_TEXT_BYTES };
    for (uint32_t i = 0; i < count; i++) {
        if (concat_one(c, &text, args[i])) {
            mgi_buf_fini(&text);
            return CALL_ERROR;
        }
    }
    return mgi_call_return_string(c, &text, out);
}

/* The next place where `old` begins, or SIZE_MAX; an empty one is before each code point. */
static size_t next_occurrence(struct str s, size_t from, struct str old, bool first)
{
    struct str rest = { s.ptr + from, s.len - from };
    if (old.len == 0 && !first) {
        if (from == s.len)
            return SIZE_MAX;
        size_t at = from;
        mgi_utf8_next(s, &at);
        return at;
    }
    size_t found = mgi_str_find(rest, old);
    return found == SIZE_MAX ? SIZE_MAX : from + found;
}

static void replace_text(struct buf *text, struct str s, struct str old, struct str new_text,
                         int64_t limit)
{
    size_t done = 0; /* of s has been copied or replaced */
    for (int64_t n = 0; (limit < 0 || n < limit) && !text->oom; n++) {
        size_t at = next_occurrence(s, done, old, n == 0);
        if (at == SIZE_MAX)
            break;
        mgi_buf_append(text, s.ptr + done, at - done);
        mgi_buf_str(text, new_text);
        done = at + old.len;
    }
    mgi_buf_append(text, s.ptr + done, s.len - done);
}

static enum call_status string_replace(struct call *c, const mangle_value *args, uint32_t count,
                                       mangle_value *out)
{
    int64_t limit;
    (void)count;
    for (int i = 0; i < 3; i++)
        if (mgi_call_expect(c, "fn:string:replace", args[i], MANGLE_STRING))
            return CALL_ERROR;
    if (mgi_call_int(c, "fn:string:replace", args[3], MANGLE_NUMBER, &limit))
        return CALL_ERROR;
    struct buf text = { .limit = MAX_TEXT_BYTES };
    replace_text(&text, call_text(c, args[0]), call_text(c, args[1]), call_text(c, args[2]), limit);
    return mgi_call_return_string(c, &text, out);
}

/* ---- names --------------------------------------------------------------------------------- */

static enum call_status name_to_string(struct call *c, const mangle_value *args, uint32_t count,
                                       mangle_value *out)
{
    (void)count;
    if (mgi_call_expect(c, "fn:name:to_string", args[0], MANGLE_NAME))
        return CALL_ERROR;
    struct str s = call_text(c, args[0]);
    return mgi_call_return(c, "fn:name:to_string", mangle_string(c->values, s.ptr, s.len), out);
}

/* The length of the part of a name that begins at `from`, its slash included. */
static size_t name_part(struct str name, size_t from)
{
    size_t end = from + 1;
    while (end < name.len && name.ptr[end] != '/')
        end++;
    return end - from;
}

static enum call_status name_root(struct call *c, const mangle_value *args, uint32_t count,
                                  mangle_value *out)
{
    (void)count;
    if (mgi_call_expect(c, "fn:name:root", args[0], MANGLE_NAME))
        return CALL_ERROR;
    struct str s = call_text(c, args[0]);
    return mgi_call_return(c, "fn:name:root", mangle_name(c->values, s.ptr, name_part(s, 0)), out);
}

static enum call_status name_tip(struct call *c, const mangle_value *args, uint32_t count,
                                 mangle_value *out)
{
    (void)count;
    if (mgi_call_expect(c, "fn:name:tip", args[0], MANGLE_NAME))
        return CALL_ERROR;
    struct str s = call_text(c, args[0]);
    size_t from = s.len;
    while (s.ptr[--from] != '/')
        ;
    return mgi_call_return(c, "fn:name:tip", mangle_name(c->values, s.ptr + from, s.len - from),
                           out);
}

static enum call_status name_list(struct call *c, const mangle_value *args, uint32_t count,
                                  mangle_value *out)
{
    (void)count;
    if (mgi_call_expect(c, "fn:name:list", args[0], MANGLE_NAME))
        return CALL_ERROR;
    struct str s = call_text(c, args[0]);
    mangle_value list = VALUE_NIL;
    for (size_t end = s.len; end > 0 && list != MANGLE_NONE;) { /* from the tip */
        size_t from = end;
        while (s.ptr[--from] != '/')
            ;
        mangle_value part = mangle_name(c->values, s.ptr + from, end - from);
        list = part == MANGLE_NONE ? MANGLE_NONE : mgi_value_cons(c->values, part, list);
        end = from;
    }
    return mgi_call_return(c, "fn:name:list", list, out);
}

const struct function mgi_functions_string[] = {
    { .name = "fn:string:concat",
      .max_args = BUILTIN_VARIADIC,
      .apply = string_concat,
      .type = "fn:Union(/string, /name, /number, /float64)... -> /string",
      .doc = "The texts of strings, names, numbers and floats, one after the other.",
      .example = { "p(Y) :- n(X), Y = fn:string:concat(\"no. \", X).", "n(7).", "p(\"no. 7\")." } },
    { .name = "fn:string:replace",
      .min_args = 4,
      .max_args = 4,
      .apply = string_replace,
      .type = "/string, /string, /string, /number -> /string",
      .doc = "The string with the first n occurrences of the second replaced by the third; n below "
             "0 means all. An empty second string is found before each character and at the end.",
      .example = { "p(Y) :- w(X), Y = fn:string:replace(X, \"a\", \"o\", 1).", "w(\"banana\").",
                   "p(\"bonana\")." } },
    { .name = "fn:name:to_string",
      .min_args = 1,
      .max_args = 1,
      .apply = name_to_string,
      .type = "/name -> /string",
      .doc = "The text of a name, with its slashes.",
      .example = { "p(Y) :- w(X), Y = fn:name:to_string(X).", "w(/a/b).", "p(\"/a/b\")." } },
    { .name = "fn:name:root",
      .min_args = 1,
      .max_args = 1,
      .apply = name_root,
      .type = "/name -> /name",
      .doc = "The first part of a name.",
      .example = { "p(Y) :- w(X), Y = fn:name:root(X).", "w(/a/b/c).", "p(/a)." } },
    { .name = "fn:name:tip",
      .min_args = 1,
      .max_args = 1,
      .apply = name_tip,
      .type = "/name -> /name",
      .doc = "The last part of a name.",
      .example = { "p(Y) :- w(X), Y = fn:name:tip(X).", "w(/a/b/c).", "p(/c)." } },
    { .name = "fn:name:list",
      .min_args = 1,
      .max_args = 1,
      .apply = name_list,
      .type = "/name -> fn:List(/name)",
      .doc = "The parts of a name, each as a name.",
      .example = { "p(Y) :- w(X), Y = fn:name:list(X).", "w(/a/b/c).", "p([/a, /b, /c])." } },
    { 0 },
};
