/* Lists that depend on who asks, or take a moment to be known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "mcp/server.h"

struct fixture {
    struct mcp_server *plain, *rich;
    struct mcp_peer *peer;
    struct mcp_call *held;
    int prompts, cancelled;
    char heard[2048];
};

static void hold(void *context, struct mcp_call *c)
{
    struct fixture *f = context;
    f->held = c;
}

static void say_prompt(void *context, struct mcp_call *c)
{
    struct fixture *f = context;
    struct mcp_prompt_message m = { .block = { .kind = MCP_TEXT, .text = mgi_mcp_name(c) } };
    f->prompts++;
    mgi_mcp_answer_prompt(c, (struct str){ 0 }, &m, 1);
}

static void note_cancelled(void *context, struct mcp_call *c)
{
    struct fixture *f = context;
    (void)c;
    f->cancelled++;
}

static void run_no_tool(void *context, struct mcp_call *c)
{
    (void)context;
    mgi_mcp_answer_text(c, STR_LIT("ok"), false);
}

static struct mcp_server *server_of(struct fixture *f, size_t prompts)
{
    static const struct mcp_prompt both[] = { { .name = { "open", 4 } },
                                              { .name = { "hidden", 6 } } };
    struct mcp_description d = { .self = { STR_LIT("s"), STR_LIT("1"), { 0 } },
                                 .prompts = both,
                                 .prompt_count = prompts,
                                 .handlers = { .tool = run_no_tool,
                                               .prompt = say_prompt,
                                               .cancelled = note_cancelled,
                                               .choose = hold },
                                 .context = f };
    return mgi_mcp_server_new(&d, NULL);
}

static void hear(void *context, const struct mcp_outgoing *m)
{
    struct fixture *f = context;
    assert_true(m->text.len < sizeof f->heard);
    memcpy(f->heard, m->text.ptr, m->text.len);
    f->heard[m->text.len] = '\0';
}

static int64_t no_time(void *context)
{
    (void)context;
    return 0;
}

static void say(struct fixture *f, const char *line)
{
    struct mcp_route route = { 0 };
    f->heard[0] = '\0';
    mgi_mcp_receive(f->peer, str_of(line), &route);
}

static void begin(struct fixture *f)
{
    struct mcp_peer_options o = { .context = f, .send = hear, .now_ms = no_time };
    *f = (struct fixture){ 0 };
    f->plain = server_of(f, 1);
    f->rich = server_of(f, 2);
    f->peer = mgi_mcp_peer_new(f->plain, &o);
    say(f, "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{"
           "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\","
           "\"version\":\"1\"}}}");
    assert_non_null(strstr(f->heard, "\"prompts\":{}")); /* what is declared does not wait */
}

static void end(struct fixture *f)
{
    mgi_mcp_peer_free(f->peer);
    mgi_mcp_server_unref(f->plain);
    mgi_mcp_server_unref(f->rich);
}

static const char list[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/list\"}";
static const char get[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"prompts/get\",\"params\":{"
                          "\"name\":\"hidden\"}}";

/* X-DISC-6: it may depend on who asks. */
static void test_a_list_and_its_names_are_of_the_server_that_was_chosen(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    say(&f, list);
    assert_string_equal(f.heard, "");
    mgi_mcp_answer_as(f.held, f.rich);
    assert_non_null(strstr(f.heard, "hidden"));
    say(&f, list);
    mgi_mcp_answer_as(f.held, f.plain);
    assert_null(strstr(f.heard, "hidden"));
    say(&f, get);
    mgi_mcp_answer_as(f.held, f.plain);
    assert_non_null(strstr(f.heard, "no prompt is called")); /* as one that never was */
    assert_int_equal(f.prompts, 0);
    say(&f, get);
    mgi_mcp_answer_as(f.held, f.rich);
    assert_int_equal(f.prompts, 1);
    say(&f, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}");
    assert_non_null(strstr(f.heard, "no tool is called")); /* tools are the peer's: nobody chose */
    end(&f);
}

static void test_one_that_is_not_wanted_any_more_is_not_answered(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    say(&f, list);
    say(&f, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
            "\"requestId\":1}}");
    assert_int_equal(f.cancelled, 1);
    mgi_mcp_answer_as(f.held, f.rich);
    assert_string_equal(f.heard, "");
    say(&f, list);
    mgi_mcp_peer_free(f.peer);
    f.peer = NULL;
    mgi_mcp_answer_as(f.held, f.rich); /* outlives its peer */
    assert_string_equal(f.heard, "");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_list_and_its_names_are_of_the_server_that_was_chosen),
        cmocka_unit_test(test_one_that_is_not_wanted_any_more_is_not_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
