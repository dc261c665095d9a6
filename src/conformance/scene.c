/* A scripted server. Each scene says something of its own (it is booting, it is busy, the tool is
 * gone) and looks at what the client does then. Every message of the client is held against
 * docs/schemas. */
#include "conformance/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "conformance/conformance_int.h"
#include "sys/clock.h"

#define SILENCE_MS  700
#define PATIENCE_MS 8000
#define RETRY_MS    200
#define MESSAGES    64

const struct scene mgi_scenes[] = {
    { "plain", "P-ENV-2 P-ENV-4 P-ENV-5 P-ENV-7 P-TIME-12 P-EVAL-9 P-CONC-4 P-PROG-2 P-TOOL-20",
      "a client holds a plain conversation", OVER_ANY },
    { "progress", "P-PROG-6", "progress of an unknown id is let be", OVER_SESSIONS },
    { "late", "P-WS-2", "before the manifest has come the client is silent", OVER_SESSIONS },
    { "places", "P-DISC-1 P-DISC-2 P-DISC-3 P-HTTP-4",
      "a client reads the manifest first, and goes where it leads", OVER_HTTP },
    { "nowhere", "P-DISC-4", "where no manifest is the client gives up", OVER_HTTP },
    { "booting", "P-READY-1 P-MAN-31", "while the server boots the client is silent",
      OVER_SESSIONS },
    { "booting", "P-READY-1 P-READY-3 P-READY-5 P-MAN-31",
      "while the server boots the client reads its manifest again", OVER_HTTP },
    { "draining", "P-READY-8 P-MAN-31", "when the server drains the client sends no more",
      OVER_SESSIONS },
    { "login", "P-AUTH-6", "a client logs in first where that is asked", OVER_SESSIONS },
    { "login", "P-DISC-2", "a client sends its token where one is asked for", OVER_HTTP },
    { "busy", "P-ERR-13 P-ERR-14 P-ERR-15", "a client waits as it is told, and not for ever",
      OVER_ANY },
    { "gone", "P-CACHE-6 P-ERR-11", "a tool that is gone is evaluated again", OVER_ANY },
    { "failed", "P-ERR-12", "what failed is not sent again", OVER_ANY },
    { "danger", "P-TOOL-15 P-CONF-3", "nobody consents, and nothing is invoked", OVER_ANY },
    { "expired", "P-TOOL-18", "a tool that is over is evaluated again", OVER_ANY },
    { "follow", "P-NEXT-5 P-PROV-10 P-DELTA-4 P-DELTA-5 P-DELTA-6",
      "a client keeps what changed, and follows what is suggested", OVER_ANY },
    { 0 },
};

const struct scene *mgi_scene(const char *name)
{
    for (const struct scene *one = mgi_scenes; one->name; one++)
        if (strcmp(one->name, name) == 0)
            return one;
    return NULL;
}

struct stage {
    const char *scene;
    struct scene_way *way;
    struct arena arena;
    struct judge *judge;
    bool ended, failed;
    char fault[400];
    struct str ids[MESSAGES]; /* in the arena */
    size_t heard, intents, invokes, logins;
    int64_t last_ns, first_gap_ns, last_gap_ns; /* between tries again */
};

static void blame(struct stage *s, const char *what)
{
    if (!s->failed)
        snprintf(s->fault, sizeof s->fault, "%s", what);
    s->failed = true;
}

static bool is_scene(const struct stage *s, const char *name)
{
    return strcmp(s->scene, name) == 0;
}

/* ---- speaking -------------------------------------------------------------------------------- */

/* `id` without ptr: null. In the payload single quotes stand for double ones. */
static void speak(struct stage *s, const char *type, struct str id, const char *payload)
{
    struct buf out = { 0 }, head = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &head, 0);
    if (id.ptr)
        mgi_jw_string(&w, id);
    else
        mgi_jw_cstring(&w, NULL);
    mgi_buf_printf(&out, "{\"type\":\"%s\",\"id\":", type);
    mgi_buf_str(&out, mgi_buf_view(&head));
    mgi_buf_puts(&out, ",\"manglecp\":\"" VERSION_TEXT "\",\"payload\":");
    for (; *payload; payload++)
        mgi_buf_putc(&out, *payload == '\'' ? '"' : *payload);
    mgi_buf_putc(&out, '}');
    if (out.oom || head.oom || !s->way->say(s->way, mgi_buf_view(&out)))
        s->ended = true;
    mgi_buf_fini(&head);
    mgi_buf_fini(&out);
}

/* The scene "follow": intents that come after each other, and what the client has learnt by then.
 */
#define FOLLOWING_INTENTS                                                                          \
    ",{'name':'scene.next','description':'Go on','optional_facts':['scene_state']},"               \
    "{'name':'scene.last','description':'End','optional_facts':['scene_state']}"
#define FOLLOWING_PREDICATE                                                                        \
    "{'predicate':'scene_state','arity':2,'arg_names':['name','n'],'arg_types':['string',"         \
    "'number'],'direction':'both','temporal':false,'description':'What is.'}"
#define STATE(name, n) "{'pred':'scene_state','args':['" name "'," n "]"
#define NEW(name, n)   STATE(name, n) ",'category':'session','source':{'source_type':'server'}}"

static void introduce(struct stage *s, const char *status)
{
    char text[2400];
    snprintf(
        text, sizeof text,
        "{'server_name':'scene','server_version':'1.0.0','protocol':{'manglecp':'" VERSION_TEXT
        "','conformance_level':1},'status':'%s','domain':{'id':'scene','description':'A scene'},"
        "'intents':[{'name':'scene.start','description':'Begin'}%s],'facts_profile':{"
        "'time_formats':['rfc3339'],'predicates':[%s]},'capabilities':{'temporal':true},'limits':{"
        "'max_message_bytes':16777216,'max_facts_per_request':100,'max_derived_facts':100},"
        "'auth':{'required':%s,'schemes':['bearer']}%s}",
        status, is_scene(s, "follow") ? FOLLOWING_INTENTS : "",
        is_scene(s, "follow") ? FOLLOWING_PREDICATE : "", is_scene(s, "login") ? "true" : "false",
        s->way->over == OVER_HTTP ? ",'endpoints':{'intent_eval':'../scene/evaluate',"
                                    "'macro_invoke':'/.well-known/scene/invoke'}"
                                  : "");
    speak(s, "manifest", (struct str){ NULL, 0 }, text);
}

static void offer_tool(struct stage *s, struct str id)
{
    char text[1000];
    bool over = is_scene(s, "expired") && s->intents == 1, danger = is_scene(s, "danger");
    snprintf(
        text, sizeof text,
        "{'eval_time_used':'2026-07-04T12:00:00Z','macro_tools':[{'macro_id':'scene-tool-%s',"
        "'name':'scene_tool','disclosure_level':'full','description':'Does nothing.',"
        "'input_schema':{'type':'object','properties':{},'additionalProperties':false},'safety':{"
        "'requires_user_confirmation':%s,'side_effects':['%s']}%s}]}",
        over ? "1" : "2", danger ? "true" : "false", danger ? "destructive" : "none",
        over ? ",'validity':{'not_before':'2020-01-01T00:00:00Z','expires_at':"
               "'2020-01-01T00:05:00Z'}"
             : "");
    speak(s, "intent_response", id, text);
}

static void speak_error(struct stage *s, struct str id, const char *code, const char *more)
{
    char text[300];
    snprintf(text, sizeof text, "{'code':'%s','message':'It is so.','recoverable':%s%s}", code,
             strcmp(code, "execution_failed") == 0 ? "false" : "true", more);
    speak(s, "error", id, text);
}

/* ---- listening ------------------------------------------------------------------------------- */

/* The next message, parsed and judged; NULL: none in that time, or the client has gone. */
static const struct json *listen_for(struct stage *s, int64_t wait_ms)
{
    struct schema_issues issues;
    struct str text;
    enum heard heard = s->way->hear(s->way, wait_ms, &text);
    s->ended |= heard == HEARD_END;
    if (heard != HEARD_MESSAGE)
        return NULL;
    struct json *m = mgi_arena_calloc(&s->arena, 1, sizeof *m);
    struct str kept = mgi_arena_str(&s->arena, text);
    mgi_schema_issues_init(&issues, &s->arena, 1);
    if (!m || mgi_json_parse(&s->arena, kept, NULL, m, NULL) != JSON_OK) {
        blame(s, "it sent what is no JSON");
        return NULL;
    }
    if (!mgi_judge_message(s->judge, m, &issues))
        blame(s, issues.count ? mgi_arena_printf(&s->arena, "a message does not fit: at \"%s\": %s",
                                                 issues.items[0].path, issues.items[0].message)
                              : "a message does not fit");
    return m;
}

/* P-ENV-4, P-ENV-5: no id twice; a UUID, or an end that counts upwards. */
static void note_id(struct stage *s, struct str id)
{
    for (size_t i = 0; i < s->heard && i < MESSAGES; i++)
        if (str_eq(s->ids[i], id))
            blame(s, "an id was used twice");
    bool counts = id.len > 0 && id.ptr[id.len - 1] >= '0' && id.ptr[id.len - 1] <= '9';
    if (id.len != 36 && !counts)
        blame(s, "an id is neither a UUID nor counts");
    s->ids[s->heard++ % MESSAGES] = id;
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static void expect_silence(struct stage *s, const char *what)
{
    if (listen_for(s, SILENCE_MS))
        blame(s, what);
}

static bool has_state(const struct json *m, const char *name, const char *n)
{
    const struct json *facts = mgi_at(m, "/payload/facts");
    for (uint32_t i = 0; facts && facts->type == JSON_ARRAY && i < facts->count; i++)
        if (mgi_is_at(&facts->items[i], "/args/0", name) &&
            mgi_is_at(&facts->items[i], "/args/1", n))
            return true;
    return false;
}

static void look_at_labels(struct stage *s, const struct json *m)
{
    const struct json *facts = mgi_at(m, "/payload/facts");
    for (uint32_t i = 0; facts && facts->type == JSON_ARRAY && i < facts->count; i++) {
        const struct json *category = mgi_at(&facts->items[i], "/category");
        if (category && category->type != JSON_NULL && !str_is(category->string, "session"))
            blame(s, "a fact that was learnt is sent as another than one of the session");
    }
}

/* What the client has to know by the second intent, and by the third. */
static void look_at_facts(struct stage *s, const struct json *m)
{
    static const struct {
        const char *name, *n;
        bool known[2];
        const char *fault;
    } rows[] = {
        { "told", "0", { true, true }, "the continuation fact was not sent along" },
        { "a", "1", { true, false }, "a null in a retraction does not leave that place open" },
        { "a", "2", { true, false }, "a null in a retraction does not leave that place open" },
        { "b", "1", { true, false }, "a fact was not asserted, or not retracted" },
        { "b", "2", { true, true }, "a retraction takes more than the fact that it names" },
        { "c", "1", { true, true }, "a retraction takes more than it says" },
        { "a", "3", { false, true }, "what is asserted was retracted by the same delta" },
    };
    look_at_labels(s, m);
    for (size_t i = 0; s->intents >= 2 && s->intents <= 3 && i < sizeof rows / sizeof *rows; i++)
        if (has_state(m, rows[i].name, rows[i].n) != rows[i].known[s->intents - 2])
            blame(s, rows[i].fault);
}

/* Which intent may come; "follow" names the next one each time. */
static const char *intent_now(const struct stage *s)
{
    static const char *const names[] = { "scene.start", "scene.next", "scene.last" };
    return is_scene(s, "follow") && s->intents >= 1 && s->intents <= 3 ? names[s->intents - 1]
                                                                       : names[0];
}

static void hear_intent(struct stage *s, const struct json *m, struct str id)
{
    int64_t now_ns = mgi_clock_mono_ns();
    s->intents++;
    if (is_scene(s, "login") && s->logins == 0 && !s->way->authorized)
        blame(s, "an intent came before the login");
    if (is_scene(s, "plain") && !mgi_at(m, "/payload/eval_time"))
        blame(s, "no eval_time");
    if (!mgi_is_at(m, "/payload/intent/name", intent_now(s)))
        blame(s, "another intent than the one that is listed");
    if (is_scene(s, "follow"))
        look_at_facts(s, m);
    if (is_scene(s, "busy")) {
        if (s->intents > 1 && now_ns - s->last_ns < RETRY_MS * NS_PER_MS)
            blame(s, "it did not wait as it was told");
        if (s->intents > 6)
            blame(s, "more than five times again");
        s->last_gap_ns = now_ns - s->last_ns;
        if (s->intents == 2)
            s->first_gap_ns = s->last_gap_ns;
        speak_error(s, id, "rate_limited", ",'retry_after_ms':200");
        s->last_ns = mgi_clock_mono_ns();
        return;
    }
    if (is_scene(s, "plain"))
        expect_silence(s, "something came before the answer that it rests on");
    if (is_scene(s, "draining")) /* before the answer: so it has been read when that has */
        introduce(s, "draining");
    offer_tool(s, id);
}

static const char *outcome_of(const struct stage *s)
{
    static const char *const steps[] = {
        "{'result':{},'state_delta':{'assert':[" NEW("a", "1") "," NEW("a", "2") "," NEW(
            "b", "1") "," NEW("b", "2") "," NEW("c",
                                                "1") "],'retract':[]},'observability':{'summary':"
                                                     "'Done.'},'next':{'suggested_intents':[{'name'"
                                                     ":'scene.next','description':'Go on'}],"
                                                     "'continuation_facts':[" STATE("told",
                                                                                    "0") "}]}}",
        "{'result':{},'state_delta':{'assert':[" NEW("a", "3") "],'retract':[" STATE(
            "a", "null") "}," STATE("b", "1") "}]},'observability':{'summary':'Done.'},'next':{"
                                              "'suggested_intents':[{'name':'scene.last','"
                                              "description':'End'}],"
                                              "'continuation_facts':[" STATE("told", "0") "}]}}",
    };
    return is_scene(s, "follow") && s->invokes >= 1 && s->invokes <= 2
               ? steps[s->invokes - 1]
               : "{'result':{},'observability':{'summary':'Done.'}}";
}

static void hear_invocation(struct stage *s, const struct json *m, struct str id)
{
    s->invokes++;
    if (is_scene(s, "danger"))
        blame(s, "it was invoked without consent");
    if (is_scene(s, "failed") && s->invokes > 1)
        blame(s, "it was sent again");
    if (is_scene(s, "expired") && !mgi_is_at(m, "/payload/macro_id", "scene-tool-2"))
        blame(s, "a tool was invoked whose time is over");
    if (is_scene(s, "failed"))
        speak_error(s, id, "execution_failed", "");
    else if (is_scene(s, "gone") && s->invokes == 1)
        speak_error(s, id, "macro_not_found", "");
    else if (is_scene(s, "progress"))
        speak(s, "progress", STR_LIT("nobody"), "{'status':'running','percent':50}");
    if (!is_scene(s, "failed") && (!is_scene(s, "gone") || s->invokes > 1))
        speak(s, "invoke_response", id, outcome_of(s));
}

static void hear(struct stage *s, const struct json *m)
{
    struct str id = mgi_text_at(m, "/id");
    if (mgi_is_at(m, "/type", "cancel"))
        return;
    note_id(s, id);
    if (id.len == 0) { /* nothing can answer it */
        blame(s, "a request without an id");
        return;
    }
    if (mgi_is_at(m, "/type", "authenticate")) {
        s->logins++;
        speak(s, "authenticate_response", id,
              "{'status':'authenticated','identity':'scene','permissions':[]}");
    } else if (mgi_is_at(m, "/type", "intent_request")) {
        hear_intent(s, m, id);
    } else {
        hear_invocation(s, m, id);
    }
}

/* What must have been when the client has gone. */
static void look_back(struct stage *s)
{
    bool runs = !is_scene(s, "busy") && !is_scene(s, "danger") && !is_scene(s, "draining") &&
                !is_scene(s, "nowhere");
    if (s->way->fault)
        blame(s, s->way->fault);
    if (is_scene(s, "nowhere") && s->heard > 0)
        blame(s, "it asked a host that has no manifest");
    if (is_scene(s, "nowhere") && s->way->reads == 0)
        blame(s, "it did not look for the manifest");
    if (s->intents == 0 && !is_scene(s, "nowhere"))
        blame(s, "no intent came");
    if (runs && s->invokes == 0)
        blame(s, "nothing was invoked");
    if (is_scene(s, "gone") && s->intents < 2)
        blame(s, "it did not evaluate again");
    if (is_scene(s, "expired") && s->intents < 2)
        blame(s, "it did not evaluate again");
    if (is_scene(s, "follow") && s->intents < 3)
        blame(s, "it did not follow what was suggested");
    if (is_scene(s, "busy") && s->intents < 2)
        blame(s, "it did not try again");
    if (is_scene(s, "busy") && s->intents > 3 &&
        s->last_gap_ns < s->first_gap_ns + RETRY_MS / 2 * NS_PER_MS)
        blame(s, "its waits do not grow");
}

/* Over HTTP the client reads the manifest again, and not all the time. */
static void boot(struct stage *s)
{
    introduce(s, "booting");
    expect_silence(s, "a request came while the server was booting");
    for (int i = 0; i < 5 && s->way->over == OVER_HTTP && s->way->reads < 2 && !s->ended; i++)
        expect_silence(s, "a request came while the server was booting");
    if (s->way->over == OVER_HTTP && s->way->reads < 2)
        blame(s, "it did not read the manifest again");
    if (s->way->reads > 40)
        blame(s, "it reads the manifest without a pause");
}

static void play_stage(struct stage *s)
{
    if (is_scene(s, "booting"))
        boot(s);
    if (is_scene(s, "late"))
        expect_silence(s, "a request came before the manifest");
    if (!is_scene(s, "nowhere"))
        introduce(s, "ready");
    int64_t until_ns = mgi_clock_mono_ns() + PATIENCE_MS * NS_PER_MS;
    while (!s->ended && s->heard < MESSAGES && mgi_clock_mono_ns() < until_ns) {
        const struct json *m = listen_for(s, 200);
        if (m && is_scene(s, "draining") && s->intents > 0)
            blame(s, "a request came to a server that drains");
        else if (m)
            hear(s, m);
    }
    look_back(s);
}

bool mgi_scene_play(const struct scene *scene, struct scene_way *way, struct buf *fault)
{
    struct stage s = { .scene = scene->name, .way = way, .judge = mgi_judge_new() };
    mgi_arena_init(&s.arena, 0);
    if (s.judge)
        play_stage(&s);
    else
        blame(&s, "no memory");
    if (s.failed)
        mgi_buf_puts(fault, s.fault);
    mgi_judge_free(s.judge);
    mgi_arena_fini(&s.arena);
    return !s.failed;
}
