/* The configuration of a server: what is read, from whom, and every fault with its place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "protocol/schema.h"
#include "service/config.h"
#include "domain/yaml.h"

struct world {
    struct arena arena;
    struct findings *findings;
    struct service_config config;
    struct buf text; /* findings, or what was printed */
};

static int setup(void **state)
{
    static struct world w;
    w = (struct world){ .findings = NULL };
    mgi_arena_init(&w.arena, 0);
    *state = &w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;
    mgi_findings_free(w->findings);
    mgi_buf_fini(&w->text);
    mgi_arena_fini(&w->arena);
    return 0;
}

/* Read; the findings are in w->text afterwards. */
static bool read_with(struct world *w, struct config_sources sources)
{
    mgi_findings_free(w->findings);
    mgi_arena_reset(&w->arena);
    mgi_buf_clear(&w->text);
    w->findings = mgi_findings_new();
    assert_non_null(w->findings);
    if (!sources.file_folder)
        sources.file_folder = "/etc/manglecp";
    if (!sources.folder)
        sources.folder = "/here";
    bool ok = mgi_config_read(&sources, &w->arena, w->findings, &w->config);
    for (size_t i = 0; i < mgi_findings_count(w->findings); i++)
        mgi_finding_print(&w->text, mgi_findings_get(w->findings, i));
    if (!w->text.ptr)
        mgi_buf_puts(&w->text, "");
    assert_int_equal(ok, mgi_findings_errors(w->findings) == 0);
    return ok;
}

static bool read_file(struct world *w, const char *text)
{
    return read_with(
        w, (struct config_sources){ .file = "serve.yaml", .text = str_of(text), .token = true });
}

static void must_read(struct world *w, const char *text)
{
    if (!read_file(w, text))
        fail_msg("%s", w->text.ptr);
}

static const char example[] = "domain: shop\n"
                              "set: {page: \"http://x\", limits.max_compute_ms: 100, on: true}\n"
                              "plugins: [more, /opt/plugins]\n"
                              "toolhost: bin/toolhost\n"
                              "stdio: true\n"
                              "listen:\n"
                              "  - 127.0.0.1:8765\n"
                              "  - address: 0.0.0.0:8443\n"
                              "    tls:\n"
                              "      certificate: tls/cert.pem\n"
                              "      key: /etc/ssl/key.pem\n"
                              "      client_ca: tls/ca.pem\n"
                              "    hosts: [shop.example, \"shop.example:8443\"]\n"
                              "    origins: [\"https://console.example\"]\n"
                              "    max_connections: 20\n"
                              "  - {address: \"[::1]:9090\", operations: only}\n"
                              "auth: {file: tokens, open_demo: false}\n"
                              "store: {sqlite: state.db}\n"
                              "workers: {quick: 3, slow: 4, max_waiting: 5}\n"
                              "limits: {open_requests: 6, bytes: 8MiB, idle: 1m, head: 7s,\n"
                              "         body: 8s, write: 1500ms}\n"
                              "log: {level: debug, format: json, access: errors}\n"
                              "watch: true\n"
                              "drain: 0\n"
                              "clock: 2026-02-19T14:30:00Z\n";

static void test_a_file_says_everything(void **state)
{
    struct world *w = *state;
    const struct service_config *c = &w->config;
    must_read(w, example);
    assert_string_equal(c->domain, "/etc/manglecp/shop");
    assert_int_equal(c->set.count, 3);
    assert_string_equal(c->set.items[0], "page=http://x");
    assert_string_equal(c->set.items[1], "limits.max_compute_ms=100");
    assert_string_equal(c->set.items[2], "on=true");
    assert_string_equal(c->plugins.items[0], "/etc/manglecp/more");
    assert_string_equal(c->plugins.items[1], "/opt/plugins");
    assert_null(c->plugins.items[2]);
    assert_string_equal(c->toolhost, "/etc/manglecp/bin/toolhost");
    assert_true(c->stdio);
    assert_int_equal(c->listener_count, 3);
    const struct listener_config *l = c->listeners;
    assert_string_equal(l[0].address, "127.0.0.1:8765");
    assert_int_equal(l[0].max_connections, 10000);
    assert_int_equal(l[0].operations, OPERATIONS_AUTO);
    assert_string_equal(l[1].certificate, "/etc/manglecp/tls/cert.pem");
    assert_string_equal(l[1].key, "/etc/ssl/key.pem");
    assert_string_equal(l[1].client_ca, "/etc/manglecp/tls/ca.pem");
    assert_string_equal(l[1].hosts.items[1], "shop.example:8443");
    assert_string_equal(l[1].origins.items[0], "https://console.example");
    assert_int_equal(l[1].max_connections, 20);
    assert_int_equal(l[2].operations, OPERATIONS_ONLY);
    assert_string_equal(c->auth_file, "/etc/manglecp/tokens");
    assert_string_equal(c->store_sqlite, "/etc/manglecp/state.db");
    assert_int_equal(c->quick_workers, 3);
    assert_int_equal(c->slow_workers, 4);
    assert_int_equal(c->max_waiting, 5);
    assert_int_equal(c->max_open_requests, 6);
    assert_int_equal(c->budget_bytes, 8 << 20);
    assert_int_equal(c->idle_ms, 60000);
    assert_int_equal(c->head_ms, 7000);
    assert_int_equal(c->body_ms, 8000);
    assert_int_equal(c->write_ms, 1500);
    assert_int_equal(c->log_level, LOG_DEBUG);
    assert_int_equal(c->log_format, LOG_JSON);
    assert_int_equal(c->log_access, ACCESS_ERRORS);
    assert_true(c->watch);
    assert_int_equal(c->drain_ms, 0);
    assert_true(c->fixed_clock);
    assert_int_equal(c->clock_ns, INT64_C(1771511400) * 1000000000);
}

static void test_what_is_not_said_has_its_default(void **state)
{
    struct world *w = *state;
    must_read(w, "{domain: d, stdio: true}");
    assert_int_equal(w->config.quick_workers, 0);
    assert_int_equal(w->config.slow_workers, 0);
    assert_int_equal(w->config.budget_bytes, 64 << 20);
    assert_int_equal(w->config.drain_ms, 30000);
    assert_int_equal(w->config.log_access, ACCESS_ALL);
    assert_false(w->config.watch || w->config.fixed_clock || w->config.open_demo);
    assert_null(w->config.auth_file);
    assert_null(w->config.store_sqlite);
    assert_null(w->config.toolhost);
}

/* Its client's terminal shows what it logs. */
static void test_on_stdio_alone_the_log_says_little_unless_told(void **state)
{
    struct world *w = *state;
    const char *const environment[] = { "MANGLECP_SERVE_LOG=info", NULL };
    const struct config_flag flags[] = { { "DOMAIN", "d" }, { "--stdio", NULL } };
    struct config_sources sources = { .flags = flags, .flag_count = 2 };
    must_read(w, "{domain: d, stdio: true}");
    assert_int_equal(w->config.log_level, LOG_WARN);
    must_read(w, "{domain: d, stdio: true, log: {format: json}}");
    assert_int_equal(w->config.log_level, LOG_WARN);
    must_read(w, "{domain: d, stdio: true, log: {level: info}}");
    assert_int_equal(w->config.log_level, LOG_INFO);
    must_read(w, "{domain: d, stdio: true, listen: [\":1\"]}");
    assert_int_equal(w->config.log_level, LOG_INFO);
    must_read(w, "{domain: d, listen: [\":1\"]}");
    assert_int_equal(w->config.log_level, LOG_INFO);
    assert_true(read_with(w, sources));
    assert_int_equal(w->config.log_level, LOG_WARN);
    sources.environment = environment;
    assert_true(read_with(w, sources));
    assert_int_equal(w->config.log_level, LOG_INFO);
    sources.environment = NULL;
    sources.listens_elsewhere = true;
    assert_true(read_with(w, sources));
    assert_int_equal(w->config.log_level, LOG_INFO);
}

static void test_all_faults_come_in_one_answer_each_with_its_place(void **state)
{
    struct world *w = *state;
    assert_false(read_file(w, "domian: d\n"
                              "stdio: yes\n"
                              "listen:\n"
                              "  - adress: 127.0.0.1:1\n"
                              "  - {address: 127.0.0.1, tls: {cert: x}}\n"
                              "  - [1]\n"
                              "log: {level: verbose, format: jsn}\n"
                              "workers: {quick: many, slow: 257}\n"
                              "limits: {bytes: 5 apples, idle: 3}\n"
                              "plugins: here\n"
                              "drain: -1s\n"
                              "set: [a]\n"
                              "clock: noon\n"
                              "auth: file\n"));
    assert_string_equal(
        w->text.ptr,
        "serve.yaml: error: there is no domain to serve [MISSING_KEY]\n"
        "  hint: Give the folder as DOMAIN, or as domain in the configuration.\n"
        "serve.yaml:1:1: error: unknown key \"domian\" in the configuration [UNKNOWN_KEY]\n"
        "    domian: d\n"
        "    ^\n"
        "  hint: Did you mean domain?\n"
        "serve.yaml:2:8: error: stdio must be true or false, not \"yes\" [BAD_VALUE]\n"
        "    stdio: yes\n"
        "           ^\n"
        "serve.yaml:4:5: error: a listener needs an address [MISSING_KEY]\n"
        "      - adress: 127.0.0.1:1\n"
        "        ^\n"
        "serve.yaml:4:5: error: unknown key \"adress\" in a listener [UNKNOWN_KEY]\n"
        "      - adress: 127.0.0.1:1\n"
        "        ^\n"
        "  hint: Did you mean address?\n"
        "serve.yaml:5:5: error: 127.0.0.1: an address is HOST:PORT, [HOST]:PORT, :PORT, systemd or "
        "systemd:NAME [LISTENER]\n"
        "      - {address: 127.0.0.1, tls: {cert: x}}\n"
        "        ^\n"
        "serve.yaml:5:32: error: unknown key \"cert\" in tls [UNKNOWN_KEY]\n"
        "      - {address: 127.0.0.1, tls: {cert: x}}\n"
        "                                   ^\n"
        "  hint: Did you mean certificate?\n"
        "serve.yaml:6:5: error: a listener is an address or a map with address, not a list "
        "[BAD_VALUE]\n"
        "      - [1]\n"
        "        ^\n"
        "serve.yaml:7:14: error: log.level must be error, warn, info or debug, not \"verbose\" "
        "[BAD_VALUE]\n"
        "    log: {level: verbose, format: jsn}\n"
        "                 ^\n"
        "serve.yaml:7:31: error: log.format must be text or json, not \"jsn\" [BAD_VALUE]\n"
        "    log: {level: verbose, format: jsn}\n"
        "                                  ^\n"
        "  hint: Did you mean json?\n"
        "serve.yaml:8:18: error: workers.quick must be a whole number, not \"many\" [BAD_VALUE]\n"
        "    workers: {quick: many, slow: 257}\n"
        "                     ^\n"
        "serve.yaml:8:30: error: workers.slow must be from 0 to 256, not \"257\" [OUT_OF_RANGE]\n"
        "    workers: {quick: many, slow: 257}\n"
        "                                 ^\n"
        "serve.yaml:9:17: error: limits.bytes must be a size such as 64MiB, not \"5 apples\" "
        "[BAD_VALUE]\n"
        "    limits: {bytes: 5 apples, idle: 3}\n"
        "                    ^\n"
        "serve.yaml:9:33: error: limits.idle must be a duration such as 30s, not \"3\" "
        "[BAD_VALUE]\n"
        "    limits: {bytes: 5 apples, idle: 3}\n"
        "                                    ^\n"
        "serve.yaml:10:10: error: plugins must be a list, not text [BAD_VALUE]\n"
        "    plugins: here\n"
        "             ^\n"
        "  hint: Write it as [a, b].\n"
        "serve.yaml:11:8: error: drain must be from 0s to 24h0m0s, not \"-1s\" [OUT_OF_RANGE]\n"
        "    drain: -1s\n"
        "           ^\n"
        "serve.yaml:12:6: error: set must be a map of settings to values, not a list [BAD_VALUE]\n"
        "    set: [a]\n"
        "         ^\n"
        "  hint: Write it as {key: value}.\n"
        "serve.yaml:13:8: error: clock \"noon\": not of the form YYYY-MM-DDThh:mm:ssZ [BAD_VALUE]\n"
        "    clock: noon\n"
        "           ^\n"
        "  hint: Write it like 2026-02-19T14:30:00Z.\n"
        "serve.yaml:14:7: error: auth must be a map, not text [BAD_VALUE]\n"
        "    auth: file\n"
        "          ^\n");
}

static void test_broken_yaml_is_said_with_its_line(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        { "domain: d\nstdio: [true\n", "serve.yaml:3:1: error: " },
        { "domain: d\ndomain: e\nstdio: true\n",
          "serve.yaml:2:1: error: key \"domain\" was given" },
        { "- domain\n", "serve.yaml:1:1: error: the configuration must be a map, not a list" },
        { "domain: &a d\n", "serve.yaml:1:9: error: anchors" },
        { "domain: \xff\n", "serve.yaml: error: byte 8 is not UTF-8" },
        { "domain: \n", "error: domain must be text, not nothing" },
        { "domain: d\nset: {a: [1]}\n", "2:10: error: a setting must be text" },
        { "domain: d\nset: {a: }\n", "error: a setting must be text" },
        { "domain: d\nlisten: 127.0.0.1:1\n", "2:9: error: listen must be a list of listeners" },
        { "domain: d\nlimits: {bytes: 99999999999GiB}\n", "limits.bytes must be a size" },
        { "domain: d\nlimits: {bytes: 99999999999999999999}\n", "limits.bytes must be a size" },
        { "domain: d\nworkers: {quick: 99999999999999999999}\n", "workers.quick must be a whole" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(read_file(w, cases[i].text));
        if (!strstr(w->text.ptr, cases[i].says))
            fail_msg("%s gives\n%s", cases[i].text, w->text.ptr);
    }
}

/* ---- who may say what ---------------------------------------------------------------------- */

/* Three values of a row that differ from each other and from the default. */
static const char *value_of(const struct config_row *row, int which)
{
    static const char *const texts[] = { "/one", "/two", "/three" };
    static const char *const numbers[] = { "11", "12", "13" };
    static const char *const sizes[] = { "11MiB", "12MiB", "13MiB" };
    static const char *const durations[] = { "11s", "12s", "13s" };
    static const char *const sets[] = { "k=1", "k=2", "k=3" };
    static const char *const addresses[] = { "127.0.0.1:11", "127.0.0.1:12", "127.0.0.1:13" };
    static const char *const times[] = { "2026-01-01T00:00:11Z", "2026-01-01T00:00:12Z",
                                         "2026-01-01T00:00:13Z" };
    switch (row->kind) {
    case CONFIG_SET:
        return sets[which];
    case CONFIG_NUMBER:
        return numbers[which];
    case CONFIG_BYTES:
        return sizes[which];
    case CONFIG_DURATION:
        return durations[which];
    case CONFIG_LISTENERS:
        return addresses[which];
    case CONFIG_TIME:
        return times[which];
    case CONFIG_BOOL: /* two values for three sources: the neighbours differ */
        return which % 2 ? "false" : "true";
    case CONFIG_WORD: /* not the default, and the neighbours differ */
        return row->words[(row->fallback + 1 + which % 2) % (row->words[2] ? 3 : 2)];
    default:
        return texts[which];
    }
}

/* The row alone, as YAML of a file whose listener is `listener`. */
static void yaml_of(struct buf *out, const struct config_row *row, const char *value,
                    bool in_listener)
{
    const char *dot = strchr(row->path, '.');
    bool list = row->kind == CONFIG_TEXTS || row->kind == CONFIG_PATHS;
    char shown_value[128];
    snprintf(shown_value, sizeof shown_value, list ? "[\"%s\"]" : "%s", value);
    if (row->kind == CONFIG_SET)
        snprintf(shown_value, sizeof shown_value, "{k: \"%s\"}", value + 2);
    if (row->kind == CONFIG_LISTENERS)
        snprintf(shown_value, sizeof shown_value,
                 row->scope == CONFIG_OPERATIONS_LISTENER ? "[{address: \"%s\", operations: only}]"
                                                          : "[\"%s\"]",
                 value);
    const char *before = in_listener ? "listen: [{address: \"127.0.0.1:9\", " : "";
    if (dot)
        mgi_buf_printf(out, "%s%.*s: {%s: %s}", before, (int)(dot - row->path), row->path, dot + 1,
                       shown_value);
    else
        mgi_buf_printf(out, "%s%s: %s", before, row->path, shown_value);
    mgi_buf_puts(out, in_listener ? "}]\n" : "\n");
}

/* What is printed when only a file says `value` of the row: the truth to compare with. */
static void printed_of_file(struct world *w, const struct config_row *row, const char *value,
                            struct buf *out)
{
    struct buf text = { 0 };
    yaml_of(&text, row, value, row->scope == CONFIG_LISTENER);
    (void)read_file(w, text.ptr); /* parts alone may lack others: what is read counts */
    mgi_config_print(out, &w->config);
    mgi_buf_fini(&text);
}

static void check_precedence(struct world *w, const struct config_row *row, bool with_flag)
{
    struct buf file = { 0 }, variable = { 0 }, wanted = { 0 }, got = { 0 };
    const char *by_file = value_of(row, 0), *by_variable = value_of(row, 1),
               *by_flag = value_of(row, 2);
    printed_of_file(w, row, with_flag ? by_flag : by_variable, &wanted);
    yaml_of(&file, row, by_file, row->scope == CONFIG_LISTENER);
    mgi_config_variable(&variable, row);
    mgi_buf_printf(&variable, "=%s", by_variable);
    const char *const environment[] = { "PATH=/bin", variable.ptr, NULL };
    struct config_flag flag = { row->flag,
                                row->value_name || row->flag[0] != '-' ? by_flag : NULL };
    bool usable = with_flag && !(row->kind == CONFIG_BOOL && strcmp(by_flag, "true") != 0);
    (void)read_with(w, (struct config_sources){ .file = "serve.yaml",
                                                .text = mgi_buf_view(&file),
                                                .file_folder = "/etc/manglecp",
                                                .environment = environment,
                                                .flags = &flag,
                                                .flag_count = usable });
    mgi_config_print(&got, &w->config);
    if (strcmp(got.ptr, wanted.ptr) != 0)
        fail_msg("%s:\n%s\nwanted:\n%s", row->path, got.ptr, wanted.ptr);
    mgi_buf_fini(&file);
    mgi_buf_fini(&variable);
    mgi_buf_fini(&wanted);
    mgi_buf_fini(&got);
}

static void test_a_flag_wins_over_the_environment_and_that_over_the_file(void **state)
{
    struct world *w = *state;
    int seen = 0;
    for (size_t i = 0; i < mgi_config_row_count; i++) {
        const struct config_row *row = &mgi_config_rows[i];
        if (!row->flag)
            continue;
        check_precedence(w, row, false);
        check_precedence(w, row, true);
        seen++;
    }
    assert_true(seen > 30);
}

static void test_flags_say_of_all_listeners_but_those_for_operations(void **state)
{
    struct world *w = *state;
    const struct config_flag flags[] = { { "--tls-self-signed", NULL },
                                         { "--listen", "0.0.0.0:1" },
                                         { "--operations-listen", "127.0.0.1:3" },
                                         { "--listen", "0.0.0.0:2" },
                                         { "--allow-host", "a" },
                                         { "--allow-host", "b" } };
    static const char file[] = "{domain: d, listen: [\"10.0.0.1:9\"]}";
    if (!read_with(w, (struct config_sources){ .file = "serve.yaml",
                                               .text = STR_LIT(file),
                                               .flags = flags,
                                               .flag_count = 6,
                                               .token = true }))
        fail_msg("%s", w->text.ptr);
    const struct listener_config *l = w->config.listeners;
    assert_int_equal(w->config.listener_count, 3);
    for (int i = 0; i < 2; i++) {
        assert_true(l[i].self_signed);
        assert_int_equal(l[i].hosts.count, 2);
    }
    assert_string_equal(l[0].address, "0.0.0.0:1");
    assert_string_equal(l[1].address, "0.0.0.0:2");
    assert_false(l[2].self_signed);
    assert_int_equal(l[2].operations, OPERATIONS_ONLY);
}

static void test_variables_hold_lists_by_words_or_lines(void **state)
{
    struct world *w = *state;
    const char *const environment[] = { "MANGLECP_SERVE_LISTEN= 127.0.0.1:1  127.0.0.1:2 ",
                                        "MANGLECP_SERVE_SET=\na=1 2\nb=3\n",
                                        "MANGLECP_SERVE_DOMAIN=d",
                                        "MANGLECP_SERVE_CONFIG=x",
                                        "MANGLECP_SERVE_LOG=",
                                        NULL };
    const struct config_flag set = { "--set", "b=4" };
    if (!read_with(w,
                   (struct config_sources){
                       .environment = environment, .flags = &set, .flag_count = 1, .token = true }))
        fail_msg("%s", w->text.ptr);
    assert_string_equal(w->config.domain, "/here/d");
    assert_int_equal(w->config.listener_count, 2);
    assert_string_equal(w->config.listeners[1].address, "127.0.0.1:2");
    assert_int_equal(w->config.set.count, 2); /* what a weaker source set stays beside it */
    assert_string_equal(w->config.set.items[0], "a=1 2");
    assert_string_equal(w->config.set.items[1], "b=4");
}

static void test_a_fault_names_the_flag_or_the_variable(void **state)
{
    struct world *w = *state;
    const char *const environment[] = { "MANGLECP_SERVE_WATCH=perhaps", "MANGLECP_SERVE_LISTNE=x",
                                        NULL };
    const struct config_flag flags[] = {
        { "--log", "loud" }, { "--set", "novalue" }, { "--listen", "1.2.3.4:5" }, { "DOMAIN", "d" }
    };
    assert_false(read_with(
        w, (struct config_sources){
               .environment = environment, .flags = flags, .flag_count = 4, .token = true }));
    assert_string_equal(
        w->text.ptr,
        "--listen: error: 1.2.3.4:5 is not a loopback address: it needs TLS [LISTENER]\n"
        "  hint: Give --tls-certificate FILE and --tls-key FILE, try it with --tls-self-signed, or "
        "put a TLS proxy in front and say so with --behind-tls-proxy.\n"
        "--log: error: log.level must be error, warn, info or debug, not \"loud\" [BAD_VALUE]\n"
        "--set: error: an override is KEY=VALUE, not \"novalue\" [BAD_VALUE]\n"
        "MANGLECP_SERVE_WATCH: error: watch must be true or false, not \"perhaps\" [BAD_VALUE]\n"
        "environment: error: the variable MANGLECP_SERVE_LISTNE says nothing that a server knows "
        "[UNKNOWN_VARIABLE]\n"
        "  hint: Did you mean MANGLECP_SERVE_LISTEN?\n");
}

static void test_faults_of_listeners_name_what_was_given(void **state)
{
    struct world *w = *state;
    const char *const environment[] = { "MANGLECP_SERVE_CORS_ORIGIN=a/b", NULL };
    const struct config_flag flags[] = { { "DOMAIN", "d" },           { "--listen", ":1" },
                                         { "--listen", ":2" },        { "--allow-host", "http" },
                                         { "--allow-host", "a b" },   { "--tls-key", "k" },
                                         { "--max-connections", "0" } };
    struct config_sources sources = {
        .environment = environment, .flags = flags, .flag_count = 7, .token = true
    };
    assert_false(read_with(w, sources));
    assert_non_null(strstr(w->text.ptr, "--allow-host: error: \"a b\": a host is a name"));
    assert_non_null(strstr(w->text.ptr, "MANGLECP_SERVE_CORS_ORIGIN: error: \"a/b\": "));
    assert_non_null(strstr(w->text.ptr, "--listen: error: :2: --tls-certificate and --tls-key "
                                        "belong together: one is missing [LISTENER]\n"));
    assert_null(strstr(w->text.ptr, "tls."));
    assert_null(strstr(w->text.ptr, "hosts"));
    assert_null(strstr(w->text.ptr, "origins"));
    const char *once = strstr(w->text.ptr, "\"a b\"");
    assert_null(strstr(once + 1, "\"a b\"")); /* however many listeners there are */
    /* in a file: the place of the one that is wrong */
    assert_false(read_file(w, "domain: d\nlisten:\n  - address: :1\n    hosts: [a, \"b c\"]\n"));
    assert_string_equal(w->text.ptr,
                        "serve.yaml:4:16: error: hosts \"b c\": a host is a name or an address, "
                        "and perhaps a port [BAD_VALUE]\n"
                        "        hosts: [a, \"b c\"]\n"
                        "                   ^\n");
}

static void test_a_flag_of_listeners_needs_one(void **state)
{
    struct world *w = *state;
    const char *const environment[] = { "MANGLECP_SERVE_TLS_SELF_SIGNED=true", NULL };
    const struct config_flag flags[] = { { "DOMAIN", "d" },
                                         { "--stdio", NULL },
                                         { "--cors-origin", "https://a" } };
    struct config_sources sources = {
        .environment = environment, .flags = flags, .flag_count = 3, .token = true
    };
    assert_false(read_with(w, sources));
    assert_string_equal(
        w->text.ptr,
        "--cors-origin: error: there is no listener that this could be said of [LISTENER]\n"
        "  hint: Give --listen HOST:PORT, too.\n");
    sources.flag_count = 2; /* a variable may be meant for another server */
    assert_true(read_with(w, sources));
    sources.flag_count = 3;
    sources.listens_elsewhere = true;
    assert_true(read_with(w, sources));
}

static void test_a_setting_that_names_a_file_here_is_made_absolute(void **state)
{
    struct world *w = *state;
    const struct config_flag flags[] = {
        { "DOMAIN", "." }, { "--stdio", NULL }, { "--set", "a=bin" }, { "--set", "b=no-such-file" }
    };
    assert_true(
        read_with(w, (struct config_sources){ .folder = "/usr", .flags = flags, .flag_count = 4 }));
    assert_string_equal(w->config.domain, "/usr");
    assert_string_equal(w->config.set.items[0], "a=/usr/bin");
    assert_string_equal(w->config.set.items[1], "b=no-such-file");
}

/* ---- what goes together -------------------------------------------------------------------- */

static void test_what_strangers_reach_needs_tls_and_credentials(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *listener, *rest;
        bool token;
        const char *says; /* NULL: fine */
    } cases[] = {
        { "127.0.0.1:1", "", true, NULL },
        { "127.0.0.1:1", "", false, "needs credentials" },
        { "127.0.0.1:1", "auth: {file: t}", false, NULL },
        { "127.0.0.1:1", "auth: {open_demo: true}", false, NULL },
        { "0.0.0.0:1", "", true, "needs TLS" },
        { "\"[::]:1\"", "", true, "needs TLS" },
        { "\"[::1]:1\"", "", true, NULL },
        { "localhost:1", "", true, NULL },
        { "127.8.8.8:1", "", true, NULL },
        { "{address: \"0.0.0.0:1\", behind_tls_proxy: true}", "", true, NULL },
        { "{address: \"0.0.0.0:1\", tls: {self_signed: true}}", "", true, NULL },
        { "{address: \"0.0.0.0:1\", tls: {certificate: c, key: k}}", "", true, NULL },
        { "{address: \"0.0.0.0:1\", tls: {certificate: c, key: k}}", "", false, "credentials" },
        { "{address: \"0.0.0.0:1\", tls: {certificate: c, key: k, client_ca: a}}", "", false,
          "credentials" },
        { "{address: \":1\", tls: {certificate: c}}", "", true, "belong together" },
        { "{address: \":1\", tls: {key: c}}", "", true, "belong together" },
        { "{address: \":1\", tls: {certificate: c, key: k, self_signed: true}}", "", true,
          "takes no file" },
        { "{address: \":1\", tls: {client_ca: c}}", "", true, "needs TLS with a certificate" },
        { "{address: \":1\", tls: {certificate: c, key: k, client_optional: true}}", "", true,
          "tls.client_ca, which is missing" },
        { "{address: \":1\", tls: {self_signed: true, client_ca: a}}", "", true, "of your own" },
        { "{address: \"127.0.0.1:1\", operations: only}", "", false, NULL },
        { "{address: \"0.0.0.0:1\", operations: only}", "", false, "needs TLS" },
        { "{address: \":1\", hosts: [a.example, \"b:80\"]}", "", true, NULL },
        { "{address: \":1\", hosts: [\"http://a\"]}", "", true, "hosts \"http://a\": a host is" },
        { "{address: \":1\", origins: [\"a b\"]}", "", true, "origins \"a b\": " },
        { "systemd", "", true, NULL },
        { "systemd:web", "", false, "needs credentials" },
        { "127.0.0.1:1, 127.0.0.1:1", "", true, "listened on twice" },
        { "127.0.0.1:0, 127.0.0.1:0", "", true, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "domain: d\nlisten: [%s]\n%s\n", cases[i].listener,
                 cases[i].rest);
        bool ok =
            read_with(w, (struct config_sources){
                             .file = "serve.yaml", .text = str_of(text), .token = cases[i].token });
        if (ok != !cases[i].says || (!ok && !strstr(w->text.ptr, cases[i].says)))
            fail_msg("%s gives\n%s", text, w->text.ptr);
    }
}

static void test_a_server_needs_a_domain_and_a_way_to_be_spoken_to(void **state)
{
    struct world *w = *state;
    assert_false(read_with(w, (struct config_sources){ .file = NULL }));
    assert_non_null(strstr(w->text.ptr, "there is no domain to serve"));
    assert_non_null(strstr(w->text.ptr, "a way to be spoken to"));
    const struct config_flag domain = { "DOMAIN", "d" };
    assert_true(read_with(w, (struct config_sources){
                                 .flags = &domain, .flag_count = 1, .listens_elsewhere = true }));
}

static void test_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *host;
        int port;
        bool loopback, activated;
    } good[] = {
        { "127.0.0.1:8765", "127.0.0.1", 8765, true, false },
        { ":0", "127.0.0.1", 0, true, false },
        { "[::1]:65535", "::1", 65535, true, false },
        { "[2001:db8::1]:1", "2001:db8::1", 1, false, false },
        { "localhost:1", "localhost", 1, true, false },
        { "0.0.0.0:1", "0.0.0.0", 1, false, false },
        { "systemd", "", 0, false, true },
        { "systemd:web", "web", 0, false, true },
    };
    struct listen_address a;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_null(mgi_listen_address_parse(good[i].text, &a));
        assert_string_equal(a.host, good[i].host);
        assert_int_equal(a.port, good[i].port);
        assert_int_equal(a.is_loopback, good[i].loopback);
        assert_int_equal(a.activated, good[i].activated);
    }
    static const char *const bad[] = { "",          "8765",    "127.0.0.1",   "127.0.0.1:",
                                       "h:65536",   "h:-1",    "h:1x",        "::1:80",
                                       "example:1", "[::1",    "[::1]",       "127.0.0.1:123456",
                                       "systemd:",  "[::g]:1", "127.0.0.1:+1" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_non_null(mgi_listen_address_parse(bad[i], &a));
    char long_one[200];
    memset(long_one, '1', sizeof long_one);
    memcpy(long_one + 190, ":1", 3);
    assert_non_null(mgi_listen_address_parse(long_one, &a));
}

/* ---- written again ------------------------------------------------------------------------- */

static void test_what_is_printed_reads_as_the_same(void **state)
{
    struct world *w = *state;
    struct buf first = { 0 }, second = { 0 };
    must_read(w, example);
    mgi_config_print(&first, &w->config);
    must_read(w, first.ptr);
    mgi_config_print(&second, &w->config);
    assert_string_equal(first.ptr, second.ptr);
    assert_non_null(strstr(first.ptr, "\ndrain: 0s\n"));
    assert_non_null(strstr(first.ptr, "  - address: \"0.0.0.0:8443\"\n"
                                      "    tls:\n"
                                      "      certificate: \"/etc/manglecp/tls/cert.pem\"\n"));
    mgi_buf_fini(&first);
    mgi_buf_fini(&second);
}

static void test_secrets_are_not_printed(void **state)
{
    struct world *w = *state;
    struct buf out = { 0 };
    must_read(w, "{domain: d, stdio: true, set: {API_Key: s3cret, db_password: s3cret, "
                 "\"x\\n: y\": \"quoted \\\"\\\\\\n\"}}");
    mgi_config_print(&out, &w->config);
    assert_null(strstr(out.ptr, "s3cret"));
    assert_non_null(strstr(out.ptr, "# \"API_Key\" is left out"));
    must_read(w, out.ptr);
    assert_int_equal(w->config.set.count, 1);
    assert_string_equal(w->config.set.items[0], "x\n: y=quoted \"\\\n");
    mgi_buf_clear(&out);
    must_read(w, "{domain: d, stdio: true, set: {token: s3cret}}");
    mgi_config_print(&out, &w->config);
    must_read(w, out.ptr);
    assert_int_equal(w->config.set.count, 0);
    mgi_buf_fini(&out);
}

/* ---- the schema ---------------------------------------------------------------------------- */

#define SCHEMA_FILE MGI_SOURCE_DIR "/docs/serve.schema.json"

/* UPDATE_DOCS=1 writes the file. */
static void test_the_schema_that_is_shipped_is_that_of_the_rows(void **state)
{
    (void)state;
    struct buf wanted = { 0 };
    char kept[65536];
    mgi_config_schema(&wanted);
    if (getenv("UPDATE_DOCS")) {
        FILE *f = fopen(SCHEMA_FILE, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(wanted.ptr, 1, wanted.len, f), wanted.len);
        assert_int_equal(fclose(f), 0);
    }
    FILE *f = fopen(SCHEMA_FILE, "rb");
    assert_non_null(f);
    size_t len = fread(kept, 1, sizeof kept - 1, f);
    (void)fclose(f);
    kept[len] = '\0';
    assert_string_equal(kept, wanted.ptr);
    mgi_buf_fini(&wanted);
}

/* What the schema says of a YAML text. */
static bool schema_accepts(struct world *w, const struct schema *schema, const char *text)
{
    struct findings *findings = mgi_findings_new();
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct yaml_context c = { .arena = &arena, .findings = findings };
    struct yaml_node *root = mgi_yaml_parse(&c, "x", str_of(text), 0);
    struct json json;
    struct schema_issues issues;
    (void)w;
    assert_non_null(root);
    assert_true(mgi_yaml_to_json(&arena, root, &json));
    mgi_schema_issues_init(&issues, &arena, 0);
    bool ok = mgi_schema_validate(schema, &json, &issues);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return ok;
}

static struct schema *compile(struct world *w)
{
    struct buf text = { 0 };
    struct json json;
    struct schema_issues issues;
    mgi_config_schema(&text);
    struct str kept = mgi_arena_str(&w->arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    assert_int_equal(mgi_json_parse(&w->arena, kept, NULL, &json, NULL), JSON_OK);
    mgi_schema_issues_init(&issues, &w->arena, 0);
    struct schema *schema = mgi_schema_compile(&json, 0, &issues);
    assert_non_null(schema);
    return schema;
}

/* Rows make both: each value that the reader takes or refuses of itself, the schema does, too. */
static void test_the_schema_and_the_reader_agree(void **state)
{
    struct world *w = *state;
    static const char *const values[] = { "text",    "\"\"",   "5",   "0",    "-1",     "300",
                                          "5000000", "true",   "[]",  "[a]",  "[a, 5]", "[[a]]",
                                          "{}",      "{a: b}", "~",   "30s",  "1.5h",   "0s",
                                          "5 s",     "8MiB",   "8MB", "info", "json",   "all",
                                          "auto",    "only",   "5.5", "[~]",  "{a: ~}" };
    struct arena arena;
    struct world schema_world = { .findings = NULL };
    mgi_arena_init(&schema_world.arena, 0);
    mgi_arena_init(&arena, 0);
    struct schema *schema = compile(&schema_world);
    size_t agreed[2] = { 0, 0 };
    for (size_t i = 0; i < mgi_config_row_count; i++) {
        const struct config_row *row = &mgi_config_rows[i];
        if (row->kind == CONFIG_LISTENERS || row->kind == CONFIG_TIME)
            continue; /* below; and formats are annotations */
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            const char *dot = strchr(row->path, '.');
            char text[256];
            bool listener = row->scope == CONFIG_LISTENER;
            snprintf(text, sizeof text, "%s%.*s%s%s: %s%s%s",
                     listener ? "domain: d\nlisten: [{address: \":1\", " : "",
                     dot ? (int)(dot - row->path) : 0, row->path, dot ? ": {" : "",
                     dot ? dot + 1 : row->path, values[k], dot ? "}" : "", listener ? "}]" : "");
            if (strcmp(row->path, "address") == 0)
                snprintf(text, sizeof text, "domain: d\nlisten: [{address: %s}]", values[k]);
            (void)read_file(w, text);
            /* Only what the schema can know: the value itself, not what it goes together with. */
            bool reader =
                !strstr(w->text.ptr, " must be ") && !strstr(w->text.ptr, "a setting must");
            bool judged = schema_accepts(w, schema, text);
            bool size = row->kind == CONFIG_BYTES || row->kind == CONFIG_DURATION;
            if (size && strstr(w->text.ptr, " must be from ") && judged)
                continue; /* the range of a text is beyond a schema */
            if (reader != judged)
                fail_msg("%s: the reader says %d, the schema %d\n%s", text, reader, judged,
                         w->text.ptr);
            agreed[judged]++;
        }
    }
    assert_true(agreed[0] > 100 && agreed[1] > 100);
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        { example, true },
        { "{domain: d, stdio: true}", true },
        { "{domain: d, unknown: 1}", false },
        { "{domain: d, log: {unknown: 1}}", false },
        { "{domain: d, log: text}", false },
        { "{domain: d, listen: [{tls: {self_signed: true}}]}", false },
        { "{domain: d, listen: [{address: \":1\", tls: {x: 1}}]}", false },
        { "{domain: d, listen: \":1\"}", false },
        { "{domain: d, listen: [\":1\", [1]]}", false },
        { "{domain: d, listen: [~]}", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(schema_accepts(w, schema, cases[i].text), cases[i].good);
        assert_int_equal(read_file(w, cases[i].text), cases[i].good);
    }
    mgi_schema_free(schema);
    mgi_arena_fini(&schema_world.arena);
    mgi_arena_fini(&arena);
}

/* ---- the document -------------------------------------------------------------------------- */

static void test_every_row_is_documented(void **state)
{
    (void)state;
    static char page[1 << 17];
    FILE *f = fopen(MGI_SOURCE_DIR "/docs/serving.md", "rb");
    assert_non_null(f);
    size_t len = fread(page, 1, sizeof page - 1, f);
    (void)fclose(f);
    page[len] = '\0';
    for (size_t i = 0; i < mgi_config_row_count; i++) {
        const struct config_row *row = &mgi_config_rows[i];
        char wanted[100];
        snprintf(wanted, sizeof wanted, "`%s`", row->path);
        if (!strstr(page, wanted))
            fail_msg("docs/serving.md does not name the key %s", row->path);
        snprintf(wanted, sizeof wanted, row->value_name ? "`%s %s`" : "%s",
                 row->flag ? row->flag : "", row->value_name ? row->value_name : "");
        if (row->flag && !strstr(page, wanted))
            fail_msg("docs/serving.md does not name the flag %s", wanted);
        struct buf number = { 0 };
        bool plain =
            row->kind == CONFIG_NUMBER || row->kind == CONFIG_BYTES || row->kind == CONFIG_DURATION;
        if (plain) { /* | key | flag | default | */
            mgi_buf_printf(&number, row->flag ? "`%s` | `%s %s` | " : "`%s` | | ", row->path,
                           row->flag ? row->flag : "", row->flag ? row->value_name : "");
            const char *at = strstr(page, number.ptr);
            struct buf value = { 0 };
            mgi_buf_printf(&value, "%lld", (long long)row->fallback);
            if (row->kind == CONFIG_DURATION) {
                mgi_buf_clear(&value);
                mgi_buf_printf(&value, "%llds", (long long)row->fallback / 1000);
            } else if (row->kind == CONFIG_BYTES) {
                mgi_buf_clear(&value);
                mgi_buf_printf(&value, "%lldMiB", (long long)row->fallback >> 20);
            }
            if (!at || strncmp(at + number.len, value.ptr, value.len) != 0 ||
                strncmp(at + number.len + value.len, " |", 2) != 0)
                fail_msg("docs/serving.md: the default of %s is %s", row->path, value.ptr);
            mgi_buf_fini(&value);
        }
        mgi_buf_fini(&number);
    }
}

int main(void)
{
#define ONE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        ONE(test_a_file_says_everything),
        ONE(test_what_is_not_said_has_its_default),
        ONE(test_on_stdio_alone_the_log_says_little_unless_told),
        ONE(test_all_faults_come_in_one_answer_each_with_its_place),
        ONE(test_broken_yaml_is_said_with_its_line),
        ONE(test_a_flag_wins_over_the_environment_and_that_over_the_file),
        ONE(test_flags_say_of_all_listeners_but_those_for_operations),
        ONE(test_variables_hold_lists_by_words_or_lines),
        ONE(test_a_fault_names_the_flag_or_the_variable),
        ONE(test_faults_of_listeners_name_what_was_given),
        ONE(test_a_flag_of_listeners_needs_one),
        ONE(test_a_setting_that_names_a_file_here_is_made_absolute),
        ONE(test_what_strangers_reach_needs_tls_and_credentials),
        ONE(test_a_server_needs_a_domain_and_a_way_to_be_spoken_to),
        ONE(test_addresses),
        ONE(test_what_is_printed_reads_as_the_same),
        ONE(test_secrets_are_not_printed),
        ONE(test_the_schema_that_is_shipped_is_that_of_the_rows),
        ONE(test_the_schema_and_the_reader_agree),
        ONE(test_every_row_is_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
