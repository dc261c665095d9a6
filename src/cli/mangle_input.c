/* Command line -> program -> base -> evaluated overlay. Predicates that only a facts file knows are
 * the host's (M-EXT-1), so rules can read them without a Decl. */
#include "cli/mangle_input.h"

#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cli/cli_files.h"
#include "cli/mangle_diags.h"
#include "cli/mangle_facts.h"
#include "cli/mangle_note.h"
#include "cli/mangle_programs.h"
#include "sys/clock.h"
#include "sys/processors.h"
#include "sys/workers.h"

#define SOURCE_MAX_BYTES   ((size_t)1 << 30)
#define COMPILED_MAX_BYTES ((size_t)1 << 36)
#define DEFAULT_MAX_FACTS  1000000 /* as in mangle.h */
#define MOST_CALLS         4000    /* as in mangle.h */
#define MOST_THREADS       64
#define BYTES_PER_MB       (INT64_C(1) << 20)

/* ---- program files ----------------------------------------------------------------------- */

int mgi_read_sources(const struct cli_list *files, struct source_files *out)
{
    int result = EXIT_ANSWERED;
    *out = (struct source_files){ 0 };
    out->texts = mgi_calloc(files->count + 1, sizeof *out->texts);
    out->sources = mgi_calloc(files->count + 1, sizeof *out->sources);
    if (!out->texts || !out->sources) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < files->count; i++) {
        const char *why;
        out->count = i + 1;
        if (!mgi_program_read(files->items[i], SOURCE_MAX_BYTES, &out->texts[i], &why)) {
            mgi_cli_error("cannot read %s: %s", files->items[i], why);
            result = EXIT_USAGE;
        }
        bool standard = strcmp(files->items[i], "-") == 0;
        out->sources[i] =
            (struct mangle_source){ standard ? "<stdin>" : files->items[i],
                                    mgi_buf_view(&out->texts[i]).ptr, out->texts[i].len };
    }
    return result;
}

void mgi_release_sources(struct source_files *s)
{
    for (size_t i = 0; i < s->count; i++)
        mgi_buf_fini(&s->texts[i]);
    mgi_free(s->texts);
    mgi_free(s->sources);
    *s = (struct source_files){ 0 };
}

void mgi_input_fini(struct input_options *options)
{
    mangle_zone_folder_free(options->zones);
    mgi_workers_free(options->workers);
    mgi_free(options->stratum_ns);
    mangle_profile_free(options->profile);
}

/* ---- facts ------------------------------------------------------------------------------- */

struct fact_files {
    struct fact_file *items;
    size_t count;
    struct host_pred_list preds;
};

/* The one --proto for all, or the one at the place of this .pb file. */
static const char *proto_of(const struct cli_list *protos, size_t place)
{
    if (protos->count == 1)
        return protos->items[0];
    return place < protos->count ? protos->items[place] : NULL;
}

static int read_fact_files(const struct cli_list *arguments, const struct cli_list *protos,
                           struct fact_files *out)
{
    int result = EXIT_ANSWERED;
    size_t messages = 0;
    mgi_host_preds_init(&out->preds);
    out->items = mgi_calloc(arguments->count + 1, sizeof *out->items);
    for (size_t i = 0; out->items && i < arguments->count; i++) {
        const char *why = NULL, *hint = NULL;
        char unpack[80] = "";
        struct fact_file *file = &out->items[i];
        out->count = i + 1;
        if (!mgi_fact_file_named(arguments->items[i], file, &why, &hint) ||
            !mgi_cli_read_file(file->path, SOURCE_MAX_BYTES, &file->text, &why) ||
            !mgi_fact_file_unpack(file, unpack) ||
            (file->form == FACTS_PROTOBUF &&
             !mgi_fact_file_typed(file, proto_of(protos, messages++), &why, &hint))) {
            mgi_cli_error("cannot read facts from %s: %s", file->path, why ? why : unpack);
            if (hint)
                mgi_cli_hint("%s", hint);
            result = EXIT_USAGE;
        } else if (!mgi_fact_file_preds(file, &out->preds)) {
            mgi_cli_error("out of memory");
            return EXIT_USAGE;
        }
    }
    return out->items ? result : EXIT_USAGE;
}

static void release_fact_files(struct fact_files *f)
{
    for (size_t i = 0; i < f->count; i++)
        mgi_fact_file_fini(&f->items[i]);
    mgi_free(f->items);
    mgi_host_preds_fini(&f->preds);
}

/* ---- evaluation -------------------------------------------------------------------------- */

static int64_t monotonic_ns(void *context)
{
    (void)context;
    return mgi_clock_mono_ns();
}

/* Limits are told as the command line set them: base and overlay share them. */
static void tell_limit(const struct input_options *o, const struct mangle_error *error)
{
    int64_t max_facts = o->max_facts ? o->max_facts : DEFAULT_MAX_FACTS;
    switch (error->limit.kind) {
    case MANGLE_LIMIT_FACTS:
        mgi_cli_error("limit reached: more than %lld derived facts", (long long)max_facts);
        mgi_cli_hint("A rule may derive without end; --max-facts raises the limit.");
        break;
    case MANGLE_LIMIT_TIME:
        mgi_cli_error("limit reached: %lld ms", (long long)o->timeout_ms);
        mgi_cli_hint("--timeout-ms raises the limit.");
        break;
    case MANGLE_LIMIT_INTERVALS:
        mgi_cli_error("limit reached: %s", error->message);
        mgi_cli_hint("--max-intervals raises the limit.");
        break;
    case MANGLE_LIMIT_MEMORY:
        mgi_cli_error("limit reached: %lld MiB of memory",
                      (long long)(error->limit.limit / BYTES_PER_MB));
        mgi_cli_hint("--max-memory-mb raises the limit; a negative number takes it away.");
        break;
    default:
        mgi_cli_error("limit reached: %s", error->message);
        break;
    }
}

static int64_t processor_ns(void *context)
{
    (void)context;
    return mgi_clock_cpu_ns();
}

static int report_failure(const struct input_options *o, enum mangle_status st,
                          const struct mangle_error *error)
{
    if (st == MANGLE_ERR_LIMIT) {
        tell_limit(o, error);
        return EXIT_LIMIT;
    }
    mgi_cli_error("%s", error->message[0] ? error->message : mangle_status_text(st));
    if (st == MANGLE_ERR_EVAL && error->limit.kind == MANGLE_LIMIT_DEPTH &&
        error->limit.limit < MOST_CALLS)
        mgi_cli_hint("--max-calls raises the limit, up to %d.", MOST_CALLS);
    return st == MANGLE_ERR_NOMEM ? EXIT_USAGE : EXIT_WRONG;
}

struct evaluation {
    const struct input_options *options;
    bool for_later; /* the base is saved: texts of facts are kept, and none reads `now` */
    int64_t now_ns, started_ns;
    mangle_program *program;
    mangle_base *base;
    mangle_overlay *overlay;
    struct mangle_stats stats;
};

/* What is left of the limits after the base took its share. */
static struct mangle_limits limits_left(const struct evaluation *e)
{
    const struct input_options *o = e->options;
    struct mangle_limits limits = { .max_facts = o->max_facts,
                                    .max_intervals = o->max_intervals,
                                    .max_depth = (uint32_t)o->max_calls,
                                    .clock = monotonic_ns,
                                    .stratum_ns = o->stratum_ns,
                                    .profile = o->profile };
    if (o->max_memory_mb < 0)
        limits.max_bytes = -1;
    else if (o->max_memory_mb <= INT64_MAX / BYTES_PER_MB)
        limits.max_bytes = o->max_memory_mb * BYTES_PER_MB;
    if (limits.max_facts == 0)
        limits.max_facts = DEFAULT_MAX_FACTS;
    if (limits.max_facts > 0) {
        limits.max_facts -= e->stats.facts_derived;
        if (limits.max_facts <= 0)
            limits.max_facts = 1; /* 0 would mean the default; one too many is noticed below */
    }
    if (o->timeout_ms > 0) {
        int64_t passed = mgi_clock_mono_ns() - e->started_ns;
        int64_t budget =
            o->timeout_ms > INT64_MAX / NS_PER_MS ? INT64_MAX : o->timeout_ms * NS_PER_MS;
        limits.timeout_ns = budget > passed ? budget - passed : 1;
    }
    return limits;
}

/* All facts are the base's, so all that does not read the time is evaluated in it. */
static bool nothing_changes(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context, (void)program, (void)pred;
    return false;
}

static int compile_sources(struct evaluation *e, struct mangle_compile_times *times,
                           const struct compile_note *note)
{
    if (!e->options->zones) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    struct mangle_zone_source zones = mangle_zone_folder_source(e->options->zones);
    struct mangle_compile_options options = { .host_preds = note->preds,
                                              .host_pred_count = note->pred_count,
                                              .host_yields = true,
                                              .changeable = nothing_changes,
                                              .zones = &zones,
                                              .allow_dangerous = note->allow_dangerous,
                                              .check_bounds = note->check_bounds,
                                              .doubt_warns = note->standard_count > 0,
                                              .host_source_count = note->standard_count,
                                              .times = times,
                                              .clock = e->options->stages_by_cpu ? processor_ns
                                                                                 : monotonic_ns };
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st =
        diags ? mangle_compile(note->sources, note->source_count, &options, &e->program, diags)
              : MANGLE_ERR_NOMEM;
    if (diags && (st || !e->options->quiet))
        mgi_print_diags(stderr, diags);
    mangle_diags_free(diags);
    if (st == MANGLE_ERR_NOMEM)
        mgi_cli_error("out of memory");
    return st == MANGLE_OK ? EXIT_ANSWERED : st == MANGLE_ERR_PROGRAM ? EXIT_WRONG : EXIT_USAGE;
}

static int load_base(struct evaluation *e, struct fact_files *facts)
{
    struct mangle_error error = { 0 };
    enum mangle_status st = mangle_base_new(e->program, &e->base);
    if (st)
        return report_failure(e->options, st, &error);
    int result = EXIT_ANSWERED;
    for (size_t i = 0; i < facts->count; i++) {
        int added = mgi_fact_file_add(&facts->items[i], e->base, e->for_later ? NULL : &e->now_ns);
        result = result ? result : added;
        if (!e->for_later)
            mgi_buf_fini(&facts->items[i].text);
    }
    return result;
}

/* How many threads may be used. */
static uint32_t threads_of(const struct input_options *o)
{
    uint32_t there = mgi_processors();
    if (o->threads > 0)
        return (uint32_t)o->threads;
    return there < MOST_THREADS ? there : MOST_THREADS;
}

static int close_base(struct evaluation *e)
{
    struct mangle_error error = { 0 };
    struct mangle_workers workers = { .count = threads_of(e->options),
                                      .run = mgi_workers_run,
                                      .context = e->options->workers };
    struct mangle_limits limits = limits_left(e);
    limits.workers = &workers;
    enum mangle_status st = mangle_base_close(e->base, &limits, &e->stats, &error);
    return st ? report_failure(e->options, st, &error) : EXIT_ANSWERED;
}

static int evaluate_overlay(struct evaluation *e)
{
    struct mangle_error error = { 0 };
    int64_t in_base = e->stats.facts_derived;
    struct mangle_limits limits = limits_left(e);
    struct mangle_stats more = { 0 };
    enum mangle_status st = mangle_overlay_new(e->base, &e->overlay);
    if (!st)
        st = mangle_overlay_eval(e->overlay, e->now_ns, &limits, &more, &error);
    if (st)
        return report_failure(e->options, st, &error);
    int64_t allowed = e->options->max_facts ? e->options->max_facts : DEFAULT_MAX_FACTS;
    if (allowed > 0 && in_base + more.facts_derived > allowed) {
        error.limit.kind = MANGLE_LIMIT_FACTS;
        return report_failure(e->options, MANGLE_ERR_LIMIT, &error);
    }
    e->stats.facts_derived += more.facts_derived;
    e->stats.rule_firings += more.rule_firings;
    e->stats.rounds += more.rounds;
    if (more.facts_given > e->stats.facts_given)
        e->stats.facts_given = more.facts_given;
    e->stats.bytes += more.bytes;
    return EXIT_ANSWERED;
}

static bool threads_ok(int64_t threads)
{
    if (threads >= 0 && threads <= MOST_THREADS)
        return true;
    mgi_cli_error("--threads is between 0 (as many as processors) and %d", MOST_THREADS);
    return false;
}

bool mgi_max_calls_ok(int64_t max_calls)
{
    if (max_calls >= 0 && max_calls <= MOST_CALLS)
        return true;
    mgi_cli_error("--max-calls is between 0 (the default) and %d", MOST_CALLS);
    return false;
}

/* What passed since `at`, which becomes now, was this phase. */
static void phase_end(struct input_options *options, enum input_phase phase, struct phase_time *at)
{
    struct phase_time now = { mgi_clock_mono_ns(), mgi_clock_cpu_ns() };
    options->phases[phase] =
        (struct phase_time){ now.wall_ns - at->wall_ns, now.cpu_ns - at->cpu_ns };
    *at = now;
}

static int prepare_measuring(struct input_options *options, mangle_program *program)
{
    options->stratum_ns = mgi_calloc(mangle_program_stratum_count(program) + 1, sizeof(int64_t));
    if (options->stratum_ns && mangle_profile_new(program, &options->profile) == MANGLE_OK)
        return EXIT_ANSWERED;
    mgi_cli_error("out of memory");
    return EXIT_USAGE;
}

/* ---- from sources to a closed base ------------------------------------------------------- */

struct inputs {
    struct cli_list files; /* folders are their files */
    struct source_files sources;
    struct fact_files facts;
};

/* May options->out be written, or is it one of the files that were read? */
static int spare_inputs(const struct input_options *options, const struct inputs *in)
{
    const char *out = options->out;
    bool same = false;
    for (size_t i = 0; out && i < in->files.count; i++)
        same |= mgi_cli_same_file(out, in->files.items[i]);
    for (size_t i = 0; out && i < in->facts.count; i++)
        same |= mgi_fact_file_is_of(&in->facts.items[i], out);
    if (!same)
        return EXIT_ANSWERED;
    mgi_cli_error("-o %s would overwrite what it is made of", out);
    mgi_cli_hint("Give the compiled file a name of its own.");
    return EXIT_USAGE;
}

static int read_inputs(struct input_options *options, const struct cli_list *files,
                       struct inputs *in)
{
    int result = mgi_max_calls_ok(options->max_calls) && threads_ok(options->threads)
                     ? mgi_program_files(files, &in->files, &options->facts)
                     : EXIT_USAGE;
    if (!result)
        result = mgi_read_sources(&in->files, &in->sources);
    int read = read_fact_files(&options->facts, &options->protos, &in->facts);
    result = result ? result : read;
    return result ? result : spare_inputs(options, in);
}

static void release_inputs(struct inputs *in)
{
    release_fact_files(&in->facts);
    mgi_release_sources(&in->sources);
}

static struct compile_note note_of(const struct input_options *options, const struct inputs *in)
{
    return (struct compile_note){
        .allow_dangerous = options->allow_dangerous,
        .check_bounds = options->check_bounds,
        .standard_count = (uint32_t)mgi_program_standard_count(&in->files),
        .sources = in->sources.sources,
        .source_count = (uint32_t)in->sources.count,
        .preds = in->facts.preds.items,
        .pred_count = (uint32_t)in->facts.preds.count,
    };
}

static int evaluate_base(struct evaluation *e, struct input_options *options, struct inputs *in,
                         struct phase_time *at)
{
    int result = read_inputs(options, &options->files, in);
    phase_end(options, PHASE_READ, at);
    struct compile_note note = note_of(options, in);
    if (!result)
        result = compile_sources(e, &options->compile_times, &note);
    if (!result && options->measured)
        result = prepare_measuring(options, e->program);
    phase_end(options, PHASE_COMPILE, at);
    if (!result)
        result = load_base(e, &in->facts);
    phase_end(options, PHASE_LOAD, at);
    if (!result && !(options->workers = mgi_workers_new(threads_of(options)))) {
        mgi_cli_error("out of memory");
        result = EXIT_USAGE;
    }
    return result ? result : close_base(e);
}

/* ---- a file that was compiled ------------------------------------------------------------ */

bool mgi_input_is_compiled(const struct input_options *options)
{
    return options->files.count && mgi_is_compiled(options->files.items[0]);
}

static int refuse_compiled(const char *path, const char *why)
{
    mgi_cli_error("cannot use %s: %s", path, why);
    mgi_cli_hint("mangle compile makes it anew.");
    return EXIT_USAGE;
}

/* Of all that its facts are read from. */
static bool digest_of(const struct fact_file *file, uint8_t out[SHA256_BYTES])
{
    uint8_t parts[3][SHA256_BYTES];
    if (!mgi_sha256(file->text.ptr, file->text.len, parts[0]))
        return false;
    if (file->form != FACTS_PROTOBUF) {
        memcpy(out, parts[0], SHA256_BYTES);
        return true;
    }
    return mgi_sha256(file->set.ptr, file->set.len, parts[1]) &&
           mgi_sha256(file->message.ptr, file->message.len, parts[2]) &&
           mgi_sha256(parts, sizeof parts, out);
}

/* Each of these leaves in `why` what is not as it was, if it is not. */
static void compare_sources(const struct inputs *in, const struct compile_note *note,
                            struct buf *why)
{
    if (in->sources.count != note->source_count)
        mgi_buf_puts(why, "it was compiled from other files");
    for (size_t i = 0; !why->len && i < in->sources.count; i++) {
        const struct mangle_source *now = &in->sources.sources[i], *then = &note->sources[i];
        if (!str_eq((struct str){ now->text, now->len }, (struct str){ then->text, then->len }))
            mgi_buf_printf(why, "%s has changed since", now->name);
    }
}

/* A file of the same bytes may be called otherwise, if the same facts are read from it. */
static void compare_fact_file(const struct fact_file *file, const char *argument,
                              const struct noted_facts *noted, struct buf *why)
{
    struct fact_file then;
    const char *ignored, *hint;
    uint8_t digest[SHA256_BYTES];
    if (!mgi_fact_file_named(noted->argument.ptr, &then, &ignored, &hint))
        mgi_buf_puts(why, "it is damaged");
    else if (then.form != file->form || !str_eq(then.pred, file->pred))
        mgi_buf_printf(why, "it was compiled with --facts %s, not %s", noted->argument.ptr,
                       argument);
    else if (!digest_of(file, digest) || memcmp(digest, noted->digest, sizeof digest) != 0)
        mgi_buf_printf(why, "%s%s has changed since", file->path,
                       file->form == FACTS_PROTOBUF ? " or its --proto" : "");
}

static void compare_facts(const struct inputs *in, const struct cli_list *arguments,
                          const struct compile_note *note, struct buf *why)
{
    if (in->facts.count != note->fact_count)
        mgi_buf_puts(why, "it was compiled with other facts");
    for (size_t i = 0; !why->len && i < in->facts.count; i++)
        compare_fact_file(&in->facts.items[i], arguments->items[i], &note->facts[i], why);
}

/* What is named beside the file has to be what it was made of. A folder of a domain names facts,
 * also where there are none in it. */
static int compare_named(struct input_options *options, const struct compile_note *note)
{
    const char *path = options->files.items[0];
    struct cli_list rest = options->files;
    struct inputs in = { 0 };
    struct buf why = { 0 };
    rest.count--;
    rest.items++;
    int result = read_inputs(options, &rest, &in);
    if (!result && rest.count)
        compare_sources(&in, note, &why);
    if (!result && !why.len && (in.facts.count || mgi_program_standard_count(&in.files)))
        compare_facts(&in, &options->facts, note, &why);
    if (!result && options->check_bounds && !note->check_bounds && !why.len)
        mgi_buf_puts(&why, "it was compiled without --check-bounds");
    if (!result && (why.len || why.oom))
        result = refuse_compiled(path, why.oom ? "out of memory" : why.ptr);
    mgi_buf_fini(&why);
    release_inputs(&in);
    return result;
}

static int open_base(struct evaluation *e, const struct buf *file)
{
    struct mangle_error error = { 0 };
    struct mangle_limits limits = limits_left(e);
    enum mangle_status st =
        mangle_base_open(e->program, file->ptr, file->len, &limits, &e->base, &e->stats, &error);
    if (st == MANGLE_ERR_INPUT)
        return refuse_compiled(e->options->files.items[0], error.message);
    return st ? report_failure(e->options, st, &error) : EXIT_ANSWERED;
}

static int open_compiled(struct evaluation *e, struct input_options *options, struct arena *arena,
                         struct phase_time *at)
{
    const char *path = options->files.items[0], *why, *bytes;
    struct buf file = { 0 };
    struct mangle_error error = { 0 };
    struct compile_note note;
    size_t len;
    int result = EXIT_ANSWERED;
    if ((why = mgi_compiled_fault(path)) ||
        !mgi_cli_read_file(path, COMPILED_MAX_BYTES, &file, &why))
        result = refuse_compiled(path, why);
    else if (mangle_saved_note(file.ptr, file.len, &bytes, &len, &error))
        result = refuse_compiled(path, error.message);
    else if (!mgi_note_read((struct str){ bytes, len }, arena, &note))
        result = refuse_compiled(path, arena->oom ? "out of memory" : "it is damaged");
    if (!result)
        result = compare_named(options, &note);
    phase_end(options, PHASE_READ, at);
    if (!result)
        result = compile_sources(e, &options->compile_times, &note);
    if (!result && options->measured)
        result = prepare_measuring(options, e->program);
    phase_end(options, PHASE_COMPILE, at);
    if (!result)
        result = open_base(e, &file);
    phase_end(options, PHASE_LOAD, at);
    mgi_buf_fini(&file);
    return result;
}

/* ---- all of it --------------------------------------------------------------------------- */

static struct evaluation begin(struct input_options *options)
{
    struct evaluation e = { .options = options, .started_ns = mgi_clock_mono_ns() };
    options->zones = mangle_zone_folder_new(MANGLE_ZONE_FOLDER);
    e.now_ns = options->has_eval_time ? options->eval_time_ns : mgi_clock_real_ns();
    return e;
}

static void end(struct evaluation *e)
{
    if (e->base)
        mangle_base_unref(e->base);
    mangle_program_unref(e->program);
}

int mgi_evaluate_input(struct input_options *options, mangle_overlay **overlay,
                       const mangle_program **program, struct mangle_stats *stats)
{
    struct inputs in = { 0 };
    struct arena arena; /* of a note */
    struct phase_time at = { mgi_clock_mono_ns(), mgi_clock_cpu_ns() };
    struct evaluation e = begin(options);
    mgi_arena_init(&arena, 0);
    int result = mgi_input_is_compiled(options) ? open_compiled(&e, options, &arena, &at)
                                                : evaluate_base(&e, options, &in, &at);
    if (!result)
        result = evaluate_overlay(&e);
    phase_end(options, PHASE_EVALUATE, &at);
    *overlay = result ? NULL : e.overlay;
    *program = result ? NULL : mangle_base_program(e.base);
    *stats = e.stats;
    if (result && e.overlay)
        mangle_overlay_free(e.overlay);
    end(&e);
    release_inputs(&in);
    mgi_arena_fini(&arena);
    return result;
}

/* False: memory, or OpenSSL. */
static bool note_facts(const struct input_options *options, const struct inputs *in,
                       struct arena *arena, struct compile_note *note)
{
    note->fact_count = (uint32_t)in->facts.count;
    note->facts = mgi_arena_calloc(arena, in->facts.count + 1, sizeof *note->facts);
    for (size_t i = 0; note->facts && i < in->facts.count; i++) {
        note->facts[i].argument = str_of(options->facts.items[i]);
        if (!digest_of(&in->facts.items[i], note->facts[i].digest))
            return false;
    }
    return note->facts;
}

static int save(const struct evaluation *e, const struct inputs *in, char **bytes, size_t *len)
{
    struct mangle_error error = { 0 };
    struct compile_note note = note_of(e->options, in);
    struct buf text = { 0 };
    struct arena arena;
    mgi_arena_init(&arena, 0);
    enum mangle_status st = MANGLE_ERR_NOMEM;
    if (note_facts(e->options, in, &arena, &note))
        mgi_note_write(&text, &note);
    if (note.facts && !text.oom)
        st = mangle_base_save(e->base, text.ptr, text.len, bytes, len, &error);
    mgi_buf_fini(&text);
    mgi_arena_fini(&arena);
    return st ? report_failure(e->options, st, &error) : EXIT_ANSWERED;
}

int mgi_compile_input(struct input_options *options, char **bytes, size_t *len)
{
    struct inputs in = { 0 };
    struct phase_time at = { mgi_clock_mono_ns(), mgi_clock_cpu_ns() };
    struct evaluation e = begin(options);
    e.for_later = true;
    int result = evaluate_base(&e, options, &in, &at);
    if (!result)
        result = save(&e, &in, bytes, len);
    end(&e);
    release_inputs(&in);
    return result;
}
