/* Evidence: what a trace or a HAR holds, as facts.
 *
 * With the arguments --print FOLDER this program prints the evidence of a recording as Mangle, one
 * fact a line, so that a rule's author can run rules on it:
 *
 *     test_evidence --print my-recording >facts.mg && mangle run rules.mg facts.mg
 *
 * With --trace FOLDER it prints events.jsonl as a trace would have kept it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../domains/browser/plugins/browser/trace.h"
#include "browser/plugin_fixture.h"
#include "browser/traces.h"

static void print_args(const struct json *args)
{
    for (size_t i = 0; i < args->count; i++) {
        const struct json *a = &args->items[i];
        printf("%s", i > 0 ? ", " : "");
        if (a->type != JSON_STRING) {
            printf("%.*s", STR_ARG(a->text));
            continue;
        }
        putchar('"');
        for (size_t j = 0; j < a->string.len; j++) {
            unsigned char c = (unsigned char)a->string.ptr[j];
            if (c == '"' || c == '\\')
                printf("\\%c", c);
            else if (c == '\n')
                printf("\\n");
            else if (c < ' ' || c == 127)
                putchar(' ');
            else
                putchar(c);
        }
        putchar('"');
    }
}

static void print_facts(const struct json *facts)
{
    for (size_t i = 0; facts && i < facts->count; i++) {
        const struct json *t = mgi_json_get(&facts->items[i], "t");
        struct str pred = mgi_member_string(&facts->items[i], "pred");
        printf("%.*s(", STR_ARG(pred));
        print_args(mgi_json_get(&facts->items[i], "args"));
        printf(")");
        if (mgi_json_get(t, "at"))
            printf("@[%.*s]", STR_ARG(mgi_member_string(t, "at")));
        else if (t)
            printf("@[%.*s, %.*s]", STR_ARG(mgi_member_string(t, "start")),
                   STR_ARG(mgi_member_string(t, "end")));
        printf(".\n");
    }
}

/* The recording as a trace keeps it: what live pages are read from. */
static int print_trace(const char *folder)
{
    char path[4200];
    struct buf out = { 0 };
    begin(NULL);
    snprintf(path, sizeof path, "%s/events.jsonl", folder);
    struct str text = traces_file(&arena, path);
    traces_pass(&arena, text, TRACE_BYTES_MOST, &out);
    fwrite(out.ptr, 1, out.len, stdout);
    mgi_buf_fini(&out);
    end(NULL);
    return 0;
}

static int print_evidence(const char *folder)
{
    char input[4200];
    th_call call;
    begin(NULL);
    snprintf(input, sizeof input, "{\"capture\":\"%s\"}", folder);
    th_status status = plugin_call(&call, "gather_evidence", input);
    if (status == TH_OK) {
        struct json all = parse(&call.evidence);
        print_facts(mgi_json_get(&all, "facts"));
    } else {
        fprintf(stderr, "%.*s\n", (int)call.error.len, call.error.ptr);
    }
    call_fini(&call);
    end(NULL);
    return status == TH_OK ? 0 : 1;
}

static struct json gather(const char *folder)
{
    char input[300];
    th_call call;
    snprintf(input, sizeof input, "{\"capture\":\"%s\"}", folder);
    if (plugin_call(&call, "gather_evidence", input) != TH_OK)
        fail_msg("%s", call.error.ptr);
    struct json all = parse(&call.evidence);
    call_fini(&call);
    const struct json *facts = mgi_json_get(&all, "facts");
    assert_non_null(facts);
    return *facts;
}

/* Is there a fact with these arguments? "*" stands for anything, numbers are written as text. */
static bool has_fact(const struct json *facts, const char *pred, const char *const *args)
{
    for (size_t i = 0; i < facts->count; i++) {
        const struct json *given = mgi_json_get(&facts->items[i], "args");
        size_t n = 0;
        if (!str_is(mgi_member_string(&facts->items[i], "pred"), pred))
            continue;
        for (; args[n] && n < given->count; n++) {
            const struct json *a = &given->items[n];
            struct str text = a->type == JSON_STRING ? a->string : a->text;
            if (strcmp(args[n], "*") != 0 && !str_is(text, args[n]))
                break;
        }
        if (!args[n] && n == given->count)
            return true;
    }
    return false;
}
#define HAS(facts, pred, ...) has_fact(facts, pred, (const char *const[]){ __VA_ARGS__, NULL })

static void test_every_capture_of_the_repository_gives_evidence(void **state)
{
    (void)state;
    struct json facts = gather(MGI_SOURCE_DIR "/domains/browser/captures/users-404");
    assert_true(HAS(&facts, "request_path", "r11", "*", "/api/users"));
    assert_true(HAS(&facts, "answer", "r11", "404", "*"));
    assert_true(HAS(&facts, "error_awaits", "console-error-3", "r11"));
    assert_true(HAS(&facts, "error_about_request", "console-error-1", "r3"));
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--print") == 0)
        return print_evidence(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--trace") == 0)
        return print_trace(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_capture_of_the_repository_gives_evidence),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
