/* Ids, text and numbers, there and back; and the largest message. */
#include "conformance/conformance_int.h"

static void echo_id(struct probe *p, const char *id)
{
    const char *text =
        mgi_arena_printf(&p->memory,
                         "{'type':'intent_request','id':'%s','manglecp':'" VERSION_TEXT
                         "','payload':" ECHO_INTENT "}",
                         id);
    const struct json *answer = text ? mgi_probe_ask(p, text) : NULL;
    mgi_probe_expect(p, mgi_is_at(answer, "/id", id), "the id %s is not echoed", id);
    mgi_probe_is(p, answer, "intent_response");
}

static void play_ids(struct probe *p)
{
    char long_id[257];
    memset(long_id, 'i', 256);
    long_id[256] = '\0';
    echo_id(p, "é-😀");
    echo_id(p, "0");
    echo_id(p, " ");
    echo_id(p, long_id);
}

/* The label comes back as it went. */
static void play_text(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    const struct json *answer =
        mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"),
                         "{'label':'\\u0000\\u200f\\uffff\\udbff\\udfff\\n`\\\\ é'}", "");
    static const char expected[] = "\0\u200f\uffff\U0010ffff\n'\\ é";
    struct str label = mgi_text_at(answer, "/payload/result/label");
    mgi_probe_expect(p, str_eq(label, (struct str){ expected, sizeof expected - 1 }),
                     "the label came back as \"%.*s\"", STR_ARG(label));
}

static void echo_number(struct probe *p, struct str macro_id, const char *number)
{
    const char *args = mgi_arena_printf(&p->memory, "{'label':'x','count':%s}", number);
    const struct json *answer = args ? mgi_probe_invoke(p, macro_id, args, "") : NULL;
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/result/count", number), "%s came back as %.*s",
                     number, answer ? (int)answer->text.len : 0, answer ? answer->text.ptr : "");
}

static void play_integers(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    struct str id = mgi_text_at(tool, "/macro_id");
    echo_number(p, id, "9007199254740991");
    echo_number(p, id, "-9007199254740991");
    echo_number(p, id, "4200");
    echo_number(p, id, "0");
}

/* A fact's argument, reflected in a result and in a fact of the delta. */
static void reflect(struct probe *p, const char *value, const char *expected)
{
    const char *facts =
        mgi_arena_printf(&p->memory, "{'pred':'fx_basic','args':['tag',1,true,%s]}", value);
    const struct json *tool = facts ? mgi_probe_tool(p, "fx.reflect", facts, "fx_reflect") : NULL;
    const struct json *answer = mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{}", "");
    const struct json *x = mgi_at(answer, "/payload/state_delta/assert/0/args/0");
    struct json wanted;
    size_t len;
    const char *text = mgi_probe_expand(p, expected, &len);
    bool good =
        mgi_json_parse(&p->memory, (struct str){ text, len }, NULL, &wanted, NULL) == JSON_OK;
    mgi_probe_expect(p, good && x && mgi_json_equal(x, &wanted, true), "%s came back as %.*s",
                     value, x ? (int)x->text.len : 0, x ? x->text.ptr : "");
}

static void play_values(struct probe *p)
{
    reflect(p, "'text'", "'text'");
    reflect(p, "4200", "4200");
    reflect(p, "1.5", "1.5");
    reflect(p, "true", "true");
    reflect(p, "[1,'a',[false]]", "[1,'a',[false]]");
    reflect(p, "{'k':{'l':2},'a':[]}", "{'a':[],'k':{'l':2}}");
}

static void play_wide_integers(struct probe *p)
{
    reflect(p, "{'_type':'int64','value':'9223372036854775807'}",
            "{'_type':'int64','value':'9223372036854775807'}");
    reflect(p, "{'_type':'int64','value':'-9007199254740993'}",
            "{'_type':'int64','value':'-9007199254740993'}");
    reflect(p, "{'_type':'int64','value':'5'}", "5");
}

/* A good message with blanks behind it, up to that many bytes. */
static const struct json *ask_padded(struct probe *p, size_t bytes)
{
    size_t len;
    const char *good = mgi_probe_expand(p, GOOD, &len);
    char *text = mgi_arena_alloc(&p->memory, bytes + 1);
    if (!text || len > bytes)
        return NULL;
    memcpy(text, good, len);
    memset(text + len, ' ', bytes - len);
    text[bytes] = '\0';
    return mgi_probe_ask(p, text);
}

static void play_largest(struct probe *p)
{
    mgi_probe_is(p, ask_padded(p, 16777216), "intent_response");
}

static void play_too_large(struct probe *p)
{
    int64_t max = mgi_int_at(&p->manifest, "/limits/max_message_bytes");
    if (max > (int64_t)64 << 20) {
        mgi_probe_skip(p, "the server takes more than 64 MiB");
        return;
    }
    const struct json *answer = ask_padded(p, (size_t)max + 1);
    mgi_probe_refused(p, answer, "message_too_large");
    mgi_probe_expect(p, mgi_int_at(answer, "/payload/details/max_message_bytes") == max,
                     "max_message_bytes");
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

const struct test_case mgi_cases_envelope[] = {
    { "P-ENV-3", "ids come back as they went", OVER_ANY, 0, play_ids },
    { "P-ENV-13", "text comes back as it went", OVER_ANY, 0, play_text },
    { "P-ENV-15 P-FACT-18", "integers up to 2^53 come back as they went", OVER_ANY, 0,
      play_integers },
    { "P-FACT-20 P-FACT-21 P-FACT-18", "values of every kind come back as they went", OVER_ANY, 0,
      play_values },
    { "P-FACT-19", "integers beyond 2^53 come back wrapped", OVER_ANY, 0, play_wide_integers },
    { "P-ENV-16", "a message of 16 MiB is taken", OVER_ANY, 0, play_largest },
    { "P-ENV-17 P-HTTP-14", "a larger one than the limit is refused as that", OVER_ANY, 0,
      play_too_large },
    { 0 },
};
