/* Any bytes as what a server says to a client, or as a file of facts.
 *
 * 'H' and a text: the head of an answer to an upgrade.
 * 'F' and a text: facts are read from it, and it is applied as a delta; what comes out reads back
 * as the same facts. Else lines: the manifest (empty: a good one), then an answer for each request
 * of a whole conversation, in which %s stands for the request's id. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "client/fake_link.h"
#include "net/answer_head.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void check_facts(const manglecp_facts *facts)
{
    struct manglecp_fault fault;
    char *json = manglecp_facts_json(facts, NULL), *again_json;
    manglecp_facts *again = manglecp_facts_new();
    if (manglecp_facts_read(again, json, strlen(json), &fault) ||
        manglecp_facts_count(again) != manglecp_facts_count(facts))
        abort();
    again_json = manglecp_facts_json(again, NULL);
    if (strcmp(json, again_json) != 0)
        abort();
    manglecp_free(json);
    manglecp_free(again_json);
    manglecp_facts_free(again);
}

static void play_facts(const char *text, size_t len)
{
    struct manglecp_fault fault = { 0 };
    manglecp_facts *facts = manglecp_facts_new();
    enum manglecp_status status = manglecp_facts_read(facts, text, len, &fault);
    if (status == MANGLECP_ERR_INVALID && (fault.line == 0 || fault.message[0] == '\0'))
        abort();
    if (status && manglecp_facts_count(facts) > 0)
        abort();
    check_facts(facts);
    (void)manglecp_facts_add(facts, "[{\"pred\":\"p\",\"args\":[1,\"a\"]},"
                                    "{\"pred\":\"p\",\"args\":[2,\"a\"],\"t\":{\"at\":\"now\"}}]");
    size_t before = manglecp_facts_count(facts), out, in;
    status = manglecp_facts_apply(facts, text, &out, &in);
    if (manglecp_facts_count(facts) != before - out + in || (status && out + in > 0))
        abort();
    check_facts(facts);
    manglecp_facts_free(facts);
}

/* The rest of the script. */
struct script {
    char *at;
};

static char *next_line(struct script *s)
{
    char *line = s->at, *end = line ? strchr(line, '\n') : NULL;
    if (end)
        *end = '\0';
    s->at = end ? end + 1 : NULL;
    return line;
}

static void answer_by_script(struct fake *f, const char *request)
{
    char *line = next_line(f->context);
    if (!line)
        f->gone = true;
    else if (*line)
        fake_say(f, line);
    else
        fake_default(f, request);
}

static bool yes(void *context, const struct manglecp_consent *what)
{
    (void)context;
    return what->tool && what->description && what->args;
}

static void play_conversation(char *text)
{
    struct script script = { text };
    struct fake f;
    struct buf why = { 0 };
    const struct manglecp_options options = {
        .consent = yes, .confirm_key = "a2V5", .token = "t", .ready_timeout_ms = -1
    };
    manglecp_client *c;
    manglecp_tools *tools = NULL;
    manglecp_result *result = NULL;
    fake_init(&f);
    f.context = &script;
    f.answer = answer_by_script;
    char *first = next_line(&script);
    if (*first)
        f.manifest = first;
    if (mgi_client_open(&f.link, &options, &c, &why) == MANGLECP_OK) {
        manglecp_facts *facts = manglecp_facts_new();
        struct manglecp_intent intent = { .name = "work" };
        (void)manglecp_facts_add(facts, "{\"pred\":\"noted\",\"args\":[\"a\",1]}");
        enum manglecp_status status = manglecp_evaluate(c, &intent, facts, &tools);
        const struct manglecp_tool *tool = tools ? manglecp_tools_get(tools, 0) : NULL;
        struct manglecp_member args[] = { { "label", manglecp_word("9") } };
        struct manglecp_invocation invocation = {
            .tools = tools, .tool = tool ? tool->name : "", .args = args, .arg_count = 1
        };
        if (tool)
            status = manglecp_invoke(c, &invocation, &result);
        if ((status == MANGLECP_ERR_INVALID) != (manglecp_problem_count(c) > 0))
            abort();
        if (result) {
            (void)manglecp_learn(c, facts, result, NULL);
            manglecp_follow(result, 0, &intent);
            manglecp_tools *more;
            (void)manglecp_evaluate(c, &intent, facts, &more);
            manglecp_tools_free(more);
        }
        check_facts(facts);
        manglecp_result_free(result);
        manglecp_tools_free(tools);
        manglecp_facts_free(facts);
        manglecp_close(c);
    }
    fake_forget(&f);
    mgi_buf_fini(&why);
}

static void play_head(const char *text, size_t len)
{
    struct arena arena;
    struct ws_acceptance answer;
    mgi_arena_init(&arena, (size_t)1024 * 1024);
    if (mgi_answer_head_upgrade(&arena, (struct str){ text, len }, &answer) &&
        (answer.status > 999 ||
         !mgi_ws_judge_acceptance(&answer, "dGhlIHNhbXBsZSBub25jZQ==", "manglecp")) &&
        answer.status != 101)
        abort();
    mgi_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char *text = malloc(len + 1);
    memcpy(text, bytes, len);
    text[len] = '\0';
    if (len > 0 && text[0] == 'F')
        play_facts(text + 1, len - 1);
    else if (len > 0 && text[0] == 'H')
        play_head(text + 1, len - 1);
    else if (len > 0)
        play_conversation(text);
    free(text);
    return 0;
}
