/* mangle repl: definitions, queries and commands, one after the other (mangle.md section 18).
 *
 * On a terminal lines can be edited and Ctrl-C stops what runs; from a pipe it is a script, in
 * which an error does not end the session. Answers and errors go to standard output, in order. */
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cli/mangle_commands.h"
#include "cli/mangle_input.h"
#include "cli/mangle_repl_complete.h"
#include "cli/mangle_repl_line.h"
#include "cli/mangle_repl_session.h"
#include "sys/clock.h"

#define PROMPT        "mg > "
#define PROMPT_MORE   ".. > "
#define DOC_COLUMN    50
#define ANSWERS_SHOWN 10 /* by ::why */

const struct cli_command mgi_mangle_repl = {
    .name = "mangle repl",
    .usage = "[FILE|FOLDER...] [OPTIONS]",
    .help = "Type rules and queries; ::help lists the commands.",
    .run = mgi_mangle_repl_command,
    .more = "Examples:\n"
            "  mangle repl rules.mg facts.mg                      begins with these loaded\n"
            "  printf '%s\\n' '::load rules.mg' '?path' | mangle repl\n"
            "\n"
            "Exit status: 0 at the end of input, 2 usage.\n",
};

/* Ctrl-C: a handler has nothing else to write to. The evaluation looks at it. */
static atomic_int interrupted; /* lock-free: a signal handler sets it */

static void note_interrupt(int signal)
{
    (void)signal;
    atomic_store_explicit(&interrupted, 1, memory_order_relaxed);
}

struct repl {
    struct repl_session session;
    struct line_reader *lines;
    struct buf pending; /* lines of a definition that is not complete */
    bool quit;
};

static void put(struct str s)
{
    fwrite(s.ptr, 1, s.len, stdout);
}

/* A message, and the end of its line if it has none. Takes the text over. */
static void say(const char *label, struct buf *text)
{
    fputs(label, stdout);
    if (text->oom)
        fputs("out of memory", stdout);
    put(mgi_buf_view(text));
    if (!text->len || text->ptr[text->len - 1] != '\n')
        putchar('\n');
    mgi_buf_fini(text);
}

/* What was done, perhaps with warnings, or why it was not. */
static bool report(bool ok, const char *label, struct buf *why)
{
    if (!ok)
        say(label, why);
    else if (why->len)
        say("", why);
    mgi_buf_fini(why);
    return ok;
}

/* ---- predicates ------------------------------------------------------------------------------ */

struct named_pred {
    struct mangle_pred_view view;
    mangle_pred pred;
};

static int by_name(const void *a, const void *b)
{
    const struct named_pred *x = a, *y = b;
    int order = strcmp(x->view.name, y->view.name);
    return order ? order : (x->view.arity > y->view.arity) - (x->view.arity < y->view.arity);
}

/* All of them, sorted; the caller's. NULL: memory. */
static struct named_pred *list_preds(const struct repl *r, size_t *count)
{
    const mangle_program *p = r->session.state.program;
    *count = mangle_program_pred_count(p);
    struct named_pred *preds = mgi_calloc(*count + 1, sizeof *preds);
    for (size_t i = 0; preds && i < *count; i++)
        preds[i] = (struct named_pred){ mangle_program_pred(p, (mangle_pred)i), (mangle_pred)i };
    if (preds && *count)
        qsort(preds, *count, sizeof *preds, by_name);
    return preds;
}

/* name(A, B): as declared, or with numbered arguments. */
static void put_atom(struct buf *out, const struct mangle_pred_view *view, const char *letter,
                     const char *comma)
{
    mgi_buf_printf(out, "%s(", view->name);
    for (uint32_t i = 0; i < view->arity; i++) {
        mgi_buf_puts(out, i ? comma : "");
        if (view->arg_names && letter[0] == 'X')
            mgi_buf_puts(out, view->arg_names[i]);
        else
            mgi_buf_printf(out, "%s%u", letter, i);
    }
    mgi_buf_putc(out, ')');
}

/* ---- definitions ----------------------------------------------------------------------------- */

static void say_defined(struct repl *r)
{
    size_t count;
    struct named_pred *preds = list_preds(r, &count);
    struct buf text = { 0 };
    bool first = true;
    for (size_t i = 0; preds && i < count; i++) {
        if (strcmp(preds[i].view.file, REPL_SOURCE) != 0)
            continue;
        mgi_buf_puts(&text, first ? "" : " ");
        put_atom(&text, &preds[i].view, "A", ", ");
        first = false;
    }
    mgi_buf_puts(&text, "].");
    say("defined [", &text);
    mgi_free(preds);
}

static void define(struct repl *r, struct str text)
{
    struct buf why = { 0 };
    if (report(mgi_repl_define(&r->session, text, &why), "definition failed: ", &why))
        say_defined(r);
}

/* ---- queries --------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void show_facts(const struct repl *r, const struct mangle_fact *facts, size_t count)
{
    const struct repl_state *state = &r->session.state;
    char **texts = mgi_calloc(count + 1, sizeof *texts);
    for (size_t i = 0; texts && i < count; i++) {
        texts[i] = mangle_fact_print(state->program, mangle_overlay_values(state->overlay),
                                     &facts[i], MANGLE_DISPLAY, NULL);
        if (!texts[i])
            count = i;
    }
    if (texts && count)
        qsort(texts, count, sizeof *texts, by_text);
    for (size_t i = 0; texts && i < count; i++) {
        puts(texts[i]);
        mangle_free(texts[i]);
    }
    if (!count)
        putchar('\n');
    mgi_free(texts);
}

static void say_found(size_t count, const char *query)
{
    if (count)
        printf("Found %zu entries for %s.\n", count, query);
    else
        printf("No entries for %s.\n", query);
}

/* The facts of a query; false after printing what is wrong with it. To a person it is also said
 * what is only doubtful, such as a predicate that does not exist. */
static bool find(struct repl *r, struct str text, const char *label,
                 const struct mangle_fact **facts, size_t *count)
{
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st = diags ? mangle_overlay_query(r->session.state.overlay, text.ptr,
                                                         text.len, facts, count, diags)
                                  : MANGLE_ERR_NOMEM;
    struct buf why = { 0 };
    if (diags && mangle_diags_count(diags) && (st || mgi_line_reader_terminal(r->lines))) {
        char *said = mangle_diag_print(mangle_diags_get(diags, 0));
        mgi_buf_puts(&why, said ? said : "");
        mangle_free(said);
    } else if (st) {
        mgi_buf_puts(&why, mangle_status_text(st));
    }
    mangle_diags_free(diags);
    return report(st == MANGLE_OK, label, &why);
}

/* A name stands for an atom of variables (M-IO-1), once for each number of arguments. */
static bool query_name(struct repl *r, struct str name)
{
    size_t count;
    struct named_pred *preds = list_preds(r, &count);
    bool known = false;
    for (size_t i = 0; preds && i < count; i++) {
        const struct mangle_fact *facts;
        size_t n;
        struct buf query = { 0 };
        if (!str_is(name, preds[i].view.name) ||
            mangle_overlay_facts(r->session.state.overlay, preds[i].pred, &facts, &n))
            continue;
        struct mangle_pred_view view = preds[i].view;
        view.arg_names = NULL;
        put_atom(&query, &view, "X", ",");
        show_facts(r, facts, n);
        say_found(n, mgi_buf_view(&query).ptr);
        mgi_buf_fini(&query);
        known = true;
    }
    mgi_free(preds);
    return known;
}

static struct str without_stop(struct str s)
{
    if (s.len && s.ptr[s.len - 1] == '.')
        s.len--;
    return mgi_str_trim(s, " \t\r\n");
}

static void query(struct repl *r, struct str text)
{
    const struct mangle_fact *facts;
    size_t count;
    struct str bare = without_stop(text);
    if (!memchr(bare.ptr, '(', bare.len) && query_name(r, bare))
        return;
    if (!find(r, text, "error evaluating query: ", &facts, &count))
        return;
    struct buf shown = { 0 };
    mgi_buf_str(&shown, bare);
    show_facts(r, facts, count);
    say_found(count, mgi_buf_view(&shown).ptr);
    mgi_buf_fini(&shown);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void run_help(struct repl *r, struct str rest)
{
    (void)r;
    (void)rest;
    puts("name(X) :- body.     define; it may go on over lines, up to one that ends in . or !\n"
         "?name  ?name(/a, X)  facts that match\n"
         "::load FILE,FILE     load files as one program; drops what was typed\n"
         "::pop                undo what was typed, or else the last load\n"
         "::show all  ::show P predicates and what they say of themselves\n"
         "::why ATOM           proofs of what holds\n"
         "::whynot ATOM        where each rule fails for what does not\n"
         "::time [TIME|now]    the time rules are evaluated at; `now` follows the clock\n"
         "::help               this\n"
         "::quit               end; so does the end of input");
}

static void run_load(struct repl *r, struct str rest)
{
    struct buf why = { 0 };
    if (report(mgi_repl_load(&r->session, rest, &why), "load failed: ", &why))
        printf("loaded %.*s.\n", STR_ARG(rest));
}

static void run_pop(struct repl *r, struct str rest)
{
    char *list;
    struct buf why = { 0 };
    (void)rest;
    if (mgi_repl_pop(&r->session, &list, &why)) {
        if (list)
            printf("popped \"%s\".\n", list);
        else
            puts("popped interactive defs.");
    } else if (why.len) {
        say("pop failed: ", &why);
    } else {
        puts("nothing to pop.");
    }
    mgi_free(list);
    mgi_buf_fini(&why);
}

/* The first string of doc(...), or "". */
static struct str first_doc(const mangle_program *p, mangle_pred pred)
{
    mangle_value first;
    struct str doc = { "", 0 };
    size_t count = mangle_pred_descriptor(p, pred, "doc", &first, 1);
    if (count != 0 && count != SIZE_MAX &&
        mangle_kind_of(mangle_program_values(p), first) == MANGLE_STRING)
        doc.ptr = mangle_text_of(mangle_program_values(p), first, &doc.len);
    return doc;
}

static void show_pred(const struct repl *r, const struct named_pred *pred)
{
    struct buf line = { 0 };
    struct str doc = first_doc(r->session.state.program, pred->pred);
    put_atom(&line, &pred->view, "X", ", ");
    while (doc.len && line.len < DOC_COLUMN)
        mgi_buf_putc(&line, ' ');
    mgi_buf_str(&line, doc);
    say("", &line);
}

static void say_no_pred(const struct named_pred *preds, size_t count, struct str name)
{
    bool any = false;
    printf("there is no predicate \"%.*s\"", STR_ARG(name));
    for (size_t i = 0; i < count; i++) {
        if (strncmp(preds[i].view.name, name.ptr, name.len) != 0)
            continue;
        printf("%s%s", any ? ", " : "; there are: ", preds[i].view.name);
        any = true;
    }
    putchar('\n');
}

static void run_show(struct repl *r, struct str rest)
{
    size_t count;
    struct named_pred *preds = list_preds(r, &count);
    bool any = false, all = str_is(rest, "all");
    for (size_t i = 0; preds && i < count; i++) {
        if (!all && !str_is(rest, preds[i].view.name))
            continue;
        show_pred(r, &preds[i]);
        any = true;
    }
    if (rest.len == 0)
        puts("::show all, or ::show and the name of a predicate");
    else if (preds && !any && !all)
        say_no_pred(preds, count, rest);
    mgi_free(preds);
}

static void run_why(struct repl *r, struct str rest)
{
    const struct mangle_fact *facts;
    size_t count;
    mangle_overlay *overlay = r->session.state.overlay;
    if (!find(r, rest, "", &facts, &count))
        return;
    for (size_t i = 0; i < count && i < ANSWERS_SHOWN; i++) {
        const struct mangle_proof *proof;
        struct mangle_error error = { 0 };
        char *text = mangle_overlay_explain(overlay, &facts[i], 0, &proof, &error)
                         ? NULL
                         : mangle_proof_print(overlay, proof, NULL);
        printf("%s%s", i ? "\n" : "", text ? text : "out of memory\n");
        mangle_free(text);
    }
    if (count > ANSWERS_SHOWN)
        printf("\nand %zu more answers\n", count - ANSWERS_SHOWN);
    if (!count)
        printf("nothing holds: ::whynot %.*s says why\n", STR_ARG(rest));
}

static void run_why_not(struct repl *r, struct str rest)
{
    const struct mangle_why_not *why;
    mangle_overlay *overlay = r->session.state.overlay;
    if (!memchr(rest.ptr, '(', rest.len)) {
        puts("::whynot needs an atom: ::whynot name(/a, X)");
        return;
    }
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st =
        diags ? mangle_overlay_why_not(overlay, rest.ptr, rest.len, &why, diags) : MANGLE_ERR_NOMEM;
    char *text = !st                         ? mangle_why_not_print(overlay, why, NULL)
                 : mangle_diags_count(diags) ? mangle_diag_print(mangle_diags_get(diags, 0))
                                             : NULL;
    fputs(text ? text : "out of memory\n", stdout);
    mangle_free(text);
    mangle_diags_free(diags);
}

static void say_time(const struct repl *r)
{
    struct buf text = { 0 };
    mgi_time_print(&text, r->session.now_ns);
    mgi_buf_puts(&text, r->session.fixed ? ", fixed" : ", by the clock");
    say("evaluated at ", &text);
}

static void run_time(struct repl *r, struct str rest)
{
    struct repl_session *s = &r->session;
    bool fixed = s->fixed;
    int64_t fixed_ns = s->fixed_ns, ns = 0;
    struct buf why = { 0 };
    enum time_parse parsed = TIME_OK;
    if (!rest.len) {
        say_time(r);
        return;
    }
    bool now = str_is(rest, "now");
    if (!now)
        parsed = mgi_time_parse(rest, TIME_LOWER_CASE, &ns);
    if (parsed != TIME_OK) {
        printf("\"%.*s\" is no time: %s; for instance 2024-06-10T12:00:00Z\n", STR_ARG(rest),
               mgi_time_parse_text(parsed));
        return;
    }
    s->fixed = !now;
    s->fixed_ns = ns;
    if (report(mgi_repl_evaluate(s, &why), "evaluation failed: ", &why)) {
        say_time(r);
        return;
    }
    s->fixed = fixed;
    s->fixed_ns = fixed_ns;
}

static void run_quit(struct repl *r, struct str rest)
{
    (void)rest;
    r->quit = true;
}

static void command(struct repl *r, struct str line)
{
    static const struct {
        const char *name;
        void (*run)(struct repl *r, struct str rest);
    } commands[] = {
        { "::help", run_help }, { "::load", run_load }, { "::pop", run_pop },
        { "::show", run_show }, { "::why", run_why },   { "::whynot", run_why_not },
        { "::time", run_time }, { "::quit", run_quit },
    };
    size_t len = 0;
    while (len < line.len && line.ptr[len] != ' ' && line.ptr[len] != '\t')
        len++;
    struct str name = { line.ptr, len }, rest = { line.ptr + len, line.len - len };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (str_is(name, commands[i].name)) {
            commands[i].run(r, mgi_str_trim(rest, " \t\r\n"));
            return;
        }
    }
    printf("there is no command %.*s; ::help lists them\n", STR_ARG(name));
}

/* ---- the loop -------------------------------------------------------------------------------- */

static const char no_end[] = "definition failed: its end, a line that ends in . or !, is missing";

/* Words that people type to leave or to be helped would begin a definition. */
static bool wants_command(const struct repl *r, struct str line)
{
    static const char *const words[] = { "help", "quit", "exit", "h", "q" };
    if (r->pending.len || !mgi_line_reader_terminal(r->lines))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(line, words[i]))
            return true;
    return false;
}

static void take_line(struct repl *r, struct str line)
{
    line = mgi_str_trim(line, " \t\r\n");
    if (!r->pending.len && !line.len)
        return;
    if (wants_command(r, line)) {
        puts("commands begin with ::, for instance ::help and ::quit");
        return;
    }
    /* no line of a definition begins so: what is pending was left, or mistyped */
    bool left = line.len && (line.ptr[0] == '?' || mgi_str_starts(line, STR_LIT("::")));
    if (r->pending.len && left) {
        puts(no_end);
        mgi_buf_clear(&r->pending);
    }
    if (!r->pending.len && line.ptr[0] == '?') {
        query(r, mgi_str_trim((struct str){ line.ptr + 1, line.len - 1 }, " \t\r\n"));
        return;
    }
    if (!r->pending.len && line.len >= 2 && strncmp(line.ptr, "::", 2) == 0) {
        command(r, line);
        return;
    }
    if (r->pending.len)
        mgi_buf_putc(&r->pending, '\n');
    mgi_buf_str(&r->pending, line);
    if (!line.len || !strchr(".!", line.ptr[line.len - 1]))
        return;
    define(r, mgi_buf_view(&r->pending));
    mgi_buf_clear(&r->pending);
}

static void talk(struct repl *r)
{
    struct str line;
    while (!r->quit) {
        atomic_store_explicit(&interrupted, 0, memory_order_relaxed);
        enum line_result got =
            mgi_line_read(r->lines, r->pending.len ? PROMPT_MORE : PROMPT, &line);
        if (got == LINE_END)
            break;
        if (got == LINE_INTERRUPTED)
            mgi_buf_clear(&r->pending);
        else
            take_line(r, line);
        fflush(stdout);
    }
    if (r->pending.len)
        puts(no_end);
    else if (!r->quit && mgi_line_reader_terminal(r->lines))
        putchar('\n');
}

static bool load_first(struct repl *r, const struct cli_list *files)
{
    struct buf list = { 0 };
    if (!files->count)
        return true;
    for (size_t i = 0; i < files->count; i++)
        mgi_buf_printf(&list, "%s%s", i ? "," : "", files->items[i]);
    struct buf why = { 0 };
    bool ok = mgi_repl_load(&r->session, mgi_buf_view(&list), &why);
    if (!ok || why.len)
        say(ok ? "" : "load failed: ", &why);
    mgi_buf_fini(&why);
    mgi_buf_fini(&list);
    return ok;
}

static bool was_interrupted(void *context)
{
    (void)context;
    return atomic_load_explicit(&interrupted, memory_order_relaxed) != 0;
}

static void watch_interrupts(struct repl *r)
{
    struct sigaction action = { .sa_handler = note_interrupt }; /* reads are broken off */
    (void)setlocale(LC_CTYPE, "");                              /* widths of what is typed */
    (void)sigaction(SIGINT, &action, NULL);
    r->session.limits.cancelled = was_interrupted;
}

static int64_t monotonic_ns(void *context)
{
    (void)context;
    return mgi_clock_mono_ns();
}

static int run_session(struct repl *r, const struct cli_list *files)
{
    struct buf why = { 0 };
    int result = EXIT_ANSWERED;
    r->session.limits.clock = monotonic_ns;
    r->lines = mgi_line_reader_new(stdin, stdout, mgi_repl_complete, &r->session);
    if (!r->lines || !mgi_repl_start(&r->session, &why)) {
        mgi_cli_error("%s", why.len ? why.ptr : "out of memory");
        result = EXIT_USAGE;
    } else {
        if (mgi_line_reader_terminal(r->lines)) {
            puts("mangle " MANGLE_VERSION "; ::help lists the commands, ::quit ends");
            watch_interrupts(r);
        }
        load_first(r, files); /* if it fails, the session begins empty */
        fflush(stdout);
        talk(r);
    }
    mgi_line_reader_free(r->lines);
    mgi_repl_end(&r->session);
    mgi_buf_fini(&r->pending);
    mgi_buf_fini(&why);
    return result;
}

int mgi_mangle_repl_command(int argc, char **argv)
{
    struct repl r = { 0 };
    struct cli_list files = { 0 };
    int64_t timeout_ms = 0, max_calls = 0;
    bool helped;
    const struct cli_option options[] = {
        { "--root", OPTION_TEXT, &r.session.root, NULL, "FOLDER", "where ::load looks for files" },
        { "--eval-time", OPTION_TIME, &r.session.fixed_ns, &r.session.fixed, "TIME",
          "what `now` means (RFC 3339); default: the clock" },
        { "--max-facts", OPTION_NUMBER, &r.session.limits.max_facts, NULL, "N",
          "derived facts allowed (1000000; negative: no limit)" },
        { "--max-intervals", OPTION_NUMBER, &r.session.limits.max_intervals, NULL, "N",
          "separate intervals of one fact (1000; negative: no limit)" },
        { "--max-calls", OPTION_NUMBER, &max_calls, NULL, "N",
          "nested calls of deferred predicates (1000; at most 4000)" },
        { "--timeout-ms", OPTION_NUMBER, &timeout_ms, NULL, "N",
          "stop an evaluation after so long" },
        { "--allow-dangerous", OPTION_FLAG, &r.session.allow_dangerous, NULL, NULL,
          "temporal recursion that can run away: warn, do not refuse" },
        { 0 },
    };
    if (!mgi_cli_parse(&mgi_mangle_repl, options, argc, argv, &files, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (!mgi_max_calls_ok(max_calls))
        return EXIT_USAGE;
    r.session.limits.max_depth = (uint32_t)max_calls;
    if (timeout_ms > 0 && timeout_ms < INT64_MAX / NS_PER_MS)
        r.session.limits.timeout_ns = timeout_ms * NS_PER_MS;
    return run_session(&r, &files);
}
