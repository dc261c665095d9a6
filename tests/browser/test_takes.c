/* What the code behind a request reads of its answer, by the text of the script alone. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../../domains/browser/plugins/browser/source_takes.h"

static struct call_site at_mark(const char *text, const char *mark)
{
    const char *found = strstr(text, mark);
    assert_non_null(found);
    return (struct call_site){ .place = { str_of(text), (size_t)(found - text) } };
}

/* "a.b!" is a.b with a guard, "a.b>" a.b handed on, "a.b@" made a date, "a.b#" a number; held to be
 * the same as something "a.b=", a text "a.b$", a number "a.b%"; a list or nothing "a.b*". */
static bool has(const struct takes *takes, const char *wanted)
{
    static const char marks[] = { '\0', '>', '@', '#', '=', '$', '%', '+', '*' };
    for (size_t i = 0; i < takes->count; i++) {
        const struct take *t = &takes->items[i];
        char text[TRAIL_BYTES + 2] = { 0 };
        memcpy(text, t->path, t->len);
        text[t->len] = t->how == TAKE_READ && t->guarded ? '!' : marks[t->how];
        if (strcmp(text, wanted) == 0)
            return true;
    }
    return false;
}

static struct takes takes_of(const char *text, const char *mark)
{
    struct call_site call = at_mark(text, mark);
    struct takes takes;
    mgi_source_takes(&call, 1, NULL, 0, &takes);
    return takes;
}

static void test_an_answer_is_followed_from_fetch_to_what_is_read_of_it(void **state)
{
    (void)state;
    struct takes t =
        takes_of("async function load() {\n"
                 "  const res = await fetch('/api/a');\n"
                 "  if (!res.ok) { const e = await res.json(); throw new Error(e.text); }\n"
                 "  const data = await res.json();\n"
                 "  show(`${data.title} of ${data.owner.name}`);\n"
                 "  const { count, rest = 3, old: former } = data;\n"
                 "  for (const row of data.rows) print(row.name);\n"
                 "  if (data.next) more();\n"
                 "  former.age;\n"
                 "}\n",
                 "fetch");
    assert_true(t.json);
    assert_false(t.json_guarded);
    assert_true(has(&t, "title"));
    assert_true(has(&t, "owner.name"));
    assert_true(has(&t, "count"));
    assert_true(has(&t, "rest!"));
    assert_true(has(&t, "old.age"));
    assert_true(has(&t, "rows[]"));
    assert_true(has(&t, "rows[].name"));
    assert_true(has(&t, "next!"));
    assert_false(has(&t, "text"));
}

static void test_what_was_settled_is_within_its_outcome(void **state)
{
    (void)state;
    struct takes t = takes_of("async function load() {\n"
                              "  const [sums] = await Promise.allSettled([\n"
                              "    fetch('/api/a').then((r) => r.json())]);\n"
                              "  show(sums.status, sums.value.amounts);\n}\n",
                              "fetch");
    assert_false(has(&t, "value.amounts"));
    assert_false(has(&t, "status"));
    assert_true(has(&t, ">"));
}

static void test_a_client_may_choose_what_it_gives_back(void **state)
{
    (void)state;
    static const char *const clients[] = {
        "export async function request(url, raw) {\n"
        "  const answer = await fetch(url);\n"
        "  const data = json ? await answer.json() : await answer.text();\n"
        "  return raw ? { data, headers: answer.headers } : data;\n}\n",
        "export async function request(url, raw) {\n"
        "  const answer = await fetch(url);\n"
        "  const data = await answer.json();\n  return data || [];\n}\n",
        "export async function request(url, raw) {\n"
        "  const answer = await fetch(url);\n"
        "  const data = await answer.json();\n  return raw && data;\n}\n",
    };
    static const char use[] = "export async function all() {\n"
                              "  const { items = [], total } = await request(`/api/a?${query}`);\n"
                              "  return items;\n}\n";
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++) {
        struct takes t;
        struct call_site calls[] = { at_mark(clients[i], "fetch"), at_mark(use, "request") };
        mgi_source_takes(calls, 2, NULL, 0, &t);
        if (!has(&t, "items!") || !has(&t, "total"))
            fail_msg("of the client %zu nothing is taken", i);
        assert_false(has(&t, ">")); /* the whole goes nowhere else */
    }
}

static void test_an_answer_may_be_handed_to_the_callers_function(void **state)
{
    (void)state;
    static const char old[] = "w.ajax = function (method, url, done) {\n"
                              "  var x = new XMLHttpRequest();\n"
                              "  x.onload = function () {\n"
                              "    var body = JSON.parse(x.responseText);\n"
                              "    if (x.status >= 400) return done(new Error('no'), body);\n"
                              "    done(null, body, x);\n"
                              "  };\n"
                              "  x.send();\n"
                              "};\n";
    static const char use[] = "ajax('GET', '/api/a', function (err, data) {\n"
                              "  show(data.items, data.nextCursor, err.code);\n"
                              "});\n";
    struct takes t;
    struct call_site calls[] = { at_mark(old, "send()"), at_mark(use, "ajax") };
    mgi_source_takes(calls, 2, NULL, 0, &t);
    assert_true(has(&t, "items"));
    assert_true(has(&t, "nextCursor"));
    assert_false(has(&t, "code"));
    static const char named[] = "function get(url, ok, failed) {\n"
                                "  fetch(url).then((r) => r.json()).then((j) => ok(j.data));\n"
                                "}\n";
    static const char caller[] = "get('/api/b', render, fail);\n"
                                 "function render(list) { for (const x of list) show(x.name); }\n"
                                 "function fail(e) { show(e.text); }\n";
    struct call_site other[] = { at_mark(named, "fetch"), at_mark(caller, "get") };
    mgi_source_takes(other, 2, NULL, 0, &t);
    assert_true(has(&t, "data"));
    assert_true(has(&t, "data[].name"));
    assert_false(has(&t, "text"));
    static const char stranger[] = "function get(url) {\n"
                                   "  fetch(url).then((r) => r.json()).then((j) => publish(j));\n"
                                   "}\n";
    struct call_site third[] = { at_mark(stranger, "fetch"), at_mark(caller, "get") };
    mgi_source_takes(third, 2, NULL, 0, &t);
    assert_false(has(&t, "[].name"));
}

static void test_an_answer_may_be_read_as_a_text_first(void **state)
{
    (void)state;
    struct takes t = takes_of("async function load() {\n"
                              "  const res = await fetch('/api/a');\n"
                              "  const text = await res.text();\n"
                              "  const body = text && isJson(res) ? JSON.parse(text) : null;\n"
                              "  if (!res.ok) throw new Failure(res.status, body);\n"
                              "  show(body.title);\n"
                              "}\n",
                              "fetch");
    assert_true(has(&t, "title"));
    assert_true(t.json);
    assert_true(t.json_guarded);
    t = takes_of("async function load() {\n"
                 "  const res = await fetch('/api/a');\n"
                 "  const { rows } = JSON.parse(await res.text());\n"
                 "}\n",
                 "fetch");
    assert_true(has(&t, "rows"));
    t = takes_of("async function load() {\n"
                 "  const res = await fetch('/api/a');\n"
                 "  const text = await res.text();\n"
                 "  const other = JSON.parse(kept);\n"
                 "  show(other.title, text.length);\n"
                 "}\n",
                 "fetch");
    assert_int_equal(t.count, 0);
}

static void test_what_is_given_back_may_be_a_member_of_the_answer(void **state)
{
    (void)state;
    static const char text[] = "export async function coursesOf(id) {\n"
                               "  const ask = () => api(`/orgs/${id}/courses`);\n"
                               "  return (await ask()).courses;\n"
                               "}\n"
                               "async function start() {\n"
                               "  const list = await coursesOf(3);\n"
                               "  show(list.map((c) => c.title));\n"
                               "}\n"
                               "async function api(path) {\n"
                               "  const answer = await fetch(path);\n"
                               "  return answer.json();\n"
                               "}\n";
    const struct call_site calls[] = { at_mark(text, "fetch"), at_mark(text, "api(`"),
                                       at_mark(text, "ask())"), at_mark(text, "coursesOf(3)") };
    struct takes t;
    mgi_source_takes(calls, 4, NULL, 0, &t);
    assert_true(has(&t, "courses"));
    assert_true(has(&t, "courses[].title"));
    assert_false(has(&t, "[].title"));
}

static void test_an_answer_is_followed_through_callbacks_and_named_functions(void **state)
{
    (void)state;
    struct takes t = takes_of("const toRow = (raw) => ({ id: raw.id, who: raw.person.name });\n"
                              "function draw(list) { list.forEach((x) => x.color); }\n"
                              "fetch('/api/a').then(check).then((r) => r.json()).then((d) => {\n"
                              "  state.rows = d.rows.filter((r) => r.open).map(toRow);\n"
                              "  draw(d.shapes);\n"
                              "  unknown(d.extra);\n"
                              "  d.list.reduce((sum, x) => sum + x.price * 2, 0);\n"
                              "  return new Date(d.at);\n"
                              "}).catch(() => []);\n",
                              "fetch('/api/a')");
    assert_true(has(&t, "rows[].open"));
    assert_true(has(&t, "rows[].person.name"));
    assert_true(has(&t, "shapes[].color"));
    assert_true(has(&t, "extra>"));
    assert_true(has(&t, "list[].price"));
    assert_true(has(&t, "list[].price#"));
    assert_true(has(&t, "at@"));
}

static const char client[] =
    "async function ask(path) {\n"
    "  const response = await fetch(base + path);\n"
    "  if (response.status === 204) return null;\n"
    "  const data = await response.json().catch(() => null);\n"
    "  if (!response.ok) throw new ApiError(response.status, data);\n"
    "  return data;\n"
    "}\n"
    "const api = { get: (path) => ask(path) };\n"
    "async function part(id) { const all = await api.get(`/parts/${id}`); return all.part; }\n"
    "async function open() {\n"
    "  const [one, { items }] = await Promise.all([part(3), api.get('/list')]);\n"
    "  show(one.name.first, items.length);\n"
    "}\n";

static void test_wrappers_give_their_callers_the_answer(void **state)
{
    (void)state;
    struct call_site calls[] = { at_mark(client, "fetch"), at_mark(client, "ask(path) }"),
                                 at_mark(client, "get(`"), at_mark(client, "part(3)") };
    struct takes t;
    mgi_source_takes(calls, 4, NULL, 0, &t);
    assert_true(t.json && t.json_guarded);
    assert_true(has(&t, "part"));
    assert_true(has(&t, "part.name.first"));
    assert_false(has(&t, ">"));
    calls[2] = at_mark(client, "get('/list')");
    mgi_source_takes(calls, 3, NULL, 0, &t);
    assert_true(has(&t, "items"));
    assert_false(has(&t, "part"));
}

static void test_what_a_member_is_compared_with_is_told_by_its_form(void **state)
{
    (void)state;
    struct takes t = takes_of(
        "const wanted = params.get('id');\n"
        "const chosen = Number(box.value);\n"
        "fetch('/a').then((r) => r.json()).then((d) => {\n"
        "  d.rows.find((x) => x.id === wanted);\n"
        "  if (d.count !== 3 && box.dataset.kind === d.kind) more();\n"
        "  if (d.left === chosen || d.right === null || typeof d.up === 'string') less();\n"
        "  return d.a === d.b;\n"
        "});\n",
        "fetch");
    assert_true(has(&t, "rows[].id$"));
    assert_true(has(&t, "count%"));
    assert_true(has(&t, "kind$"));
    assert_true(has(&t, "left%"));
    assert_true(has(&t, "a="));
    t = takes_of("fetch('/a').then((r) => r.json()).then((d) => {\n"
                 "  for (const x of d.rows) { sum += x.price; label = 'no. ' + x.code; }\n"
                 "  return d.rows.reduce((all, x) => all + x.count, 0);\n"
                 "});\n",
                 "fetch");
    assert_true(has(&t, "rows[].price+"));
    assert_true(has(&t, "rows[].count+"));
    assert_false(has(&t, "rows[].code+"));
    assert_false(has(&t, "right="));
    assert_false(has(&t, "up$"));
}

static void test_functions_of_other_scripts_are_found_by_name(void **state)
{
    (void)state;
    const char *text = "fetch('/x').then(r => r.json()).then(d => { show(formatDay(d.due)); });\n";
    const struct str others[] = { STR_LIT(
        "export function formatDay(day) { return new Date(day * 1000); }") };
    struct call_site call = at_mark(text, "fetch");
    struct takes t;
    mgi_source_takes(&call, 1, others, 1, &t);
    assert_true(has(&t, "due@"));
    assert_true(has(&t, "due#"));
    t = takes_of(text, "fetch");
    assert_true(has(&t, "due>"));
}

static void test_what_is_not_understood_is_left_out(void **state)
{
    (void)state;
    assert_int_equal(takes_of("fetch(", "fetch").count, 0);
    assert_int_equal(takes_of("x.y = fetch('/a'); x.z", "fetch").count, 0);
    assert_int_equal(takes_of("axios.get('/a').then((r) => r.data.b)", "get").count, 0);
    struct takes t;
    mgi_source_takes(NULL, 0, NULL, 0, &t);
    assert_int_equal(t.count, 0);
    struct takes sent = takes_of(
        "q.onload = () => { const d = JSON.parse(q.responseText); d.a.b; }; q.send();", "send");
    assert_true(has(&sent, "a.b"));
}

static void test_an_answer_may_resolve_a_promise_or_go_to_a_member_of_the_options(void **state)
{
    (void)state;
    static const char old[] = "function ask(url) {\n"
                              "  return new Promise((resolve, reject) => {\n"
                              "    const x = new XMLHttpRequest();\n"
                              "    x.onload = () => resolve(JSON.parse(x.responseText));\n"
                              "    x.onerror = () => reject(x);\n"
                              "    x.send();\n"
                              "  });\n}\n";
    static const char use[] = "ask('/api/a').then((d) => show(d.items));\n";
    struct takes t;
    struct call_site calls[] = { at_mark(old, "send()"), at_mark(old, "new Promise"),
                                 at_mark(use, "ask") };
    mgi_source_takes(calls, 3, NULL, 0, &t);
    assert_true(has(&t, "items"));
    static const char ajax[] = "function ajax(opts) {\n"
                               "  var x = new XMLHttpRequest();\n"
                               "  x.responseType = 'json';\n"
                               "  x.onload = function () { opts.success(x.response); };\n"
                               "  x.send();\n}\n"
                               "function render(r) { show(r.hits || []); }\n"
                               "ajax({ url: '/api/a', success: render });\n"
                               "ajax({ success(r) { show(r.terms); }, url: '/api/b' });\n";
    struct call_site named[] = { at_mark(ajax, "send()"), at_mark(ajax, "ajax({ url") };
    mgi_source_takes(named, 2, NULL, 0, &t);
    assert_true(has(&t, "hits!"));
    assert_true(has(&t, "hits*"));
    struct call_site method[] = { at_mark(ajax, "send()"), at_mark(ajax, "ajax({ success") };
    mgi_source_takes(method, 2, NULL, 0, &t);
    assert_true(has(&t, "terms"));
    assert_false(has(&t, "hits!"));
    static const char parts[] =
        "function ajax({ url, done }) {\n"
        "  fetch(url).then((r) => r.json()).then((d) => done(d.data));\n}\n"
        "ajax({ url: '/api/a', done: (list) => list.length || list.more });\n";
    struct call_site pattern[] = { at_mark(parts, "fetch"), at_mark(parts, "ajax({ url: ") };
    mgi_source_takes(pattern, 2, NULL, 0, &t);
    assert_true(has(&t, "data.more"));
}

static void test_listeners_constructors_and_functions_of_objects_get_what_is_given(void **state)
{
    (void)state;
    const struct str others[] = {
        STR_LIT("bus.on('rows', (list) => { list.map((r) => r.name); });\n"
                "bus.on('other', (list) => { list.wrong; });\n"),
        STR_LIT("var Money = {\n  total: function (lines) { return lines.map(Money.line); },\n"
                "  line: function (l) { return l.price * l.qty; }\n};\n"),
        STR_LIT("class Panel {\n  constructor(data) { this.title = data.title; }\n"
                "  add(data) { data.wrong; }\n}\n"),
    };
    struct call_site call = at_mark("fetch('/a').then((r) => r.json()).then((d) => {\n"
                                    "  bus.emit('rows', d.rows);\n"
                                    "  show(Money.total(d.lines));\n"
                                    "  new Panel(d.panel);\n"
                                    "  set.add(d.more);\n"
                                    "});\n",
                                    "fetch");
    struct takes t;
    mgi_source_takes(&call, 1, others, 3, &t);
    assert_true(has(&t, "rows[].name"));
    assert_true(has(&t, "lines[].price"));
    assert_true(has(&t, "panel.title"));
    assert_true(has(&t, "more>"));
    assert_false(has(&t, "rows.wrong"));
    assert_false(has(&t, "more.wrong"));
}

static void test_a_response_is_given_at_once_to_what_reads_it(void **state)
{
    (void)state;
    static const char reader[] = "async function read(res) {\n"
                                 "  if (res.status === 204) return null;\n"
                                 "  const data = await res.json().catch(() => null);\n"
                                 "  if (!res.ok) throw new Error(data);\n"
                                 "  return data;\n}\n";
    static const char *const ways[] = {
        "const seen = await read(await fetch('/a', { headers: { A: '1' } }));\nshow(seen.yes);\n",
        "const { yes } = await read(await fetch('/a'));\n",
        "async function f() { show((await read(await fetch('/a'))).yes); }\n",
        "read(await fetch('/a')).then((seen) => show(seen.yes));\n",
        "const seen = await read(fetch('/a'));\nshow(seen.yes);\n",
        /* What stands in quotes is no reading of it. */
        "const seen = await read(await fetch('/a'));\nif (may('seen.no')) show(seen.yes);\n",
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char text[800];
        snprintf(text, sizeof text, "%s%s", reader, ways[i]);
        struct takes t = takes_of(text, "fetch");
        if (!has(&t, "yes") || has(&t, "no"))
            fail_msg("%s", ways[i]);
    }
    static const char other[] = "function count(res) { return res.status; }\n"
                                "const n = count(await fetch('/a'));\nshow(n.no);\n";
    struct takes t = takes_of(other, "fetch");
    assert_false(has(&t, "no"));
}

static void test_answers_that_came_together_are_told_apart_by_their_numbers(void **state)
{
    (void)state;
    static const char text[] = "Promise.all([get('/a'), fetch('/b').then((r) => r.json())])\n"
                               "  .then(function (all) { show(all[0].no, all[1].yes); });\n";
    struct takes t = takes_of(text, "fetch");
    assert_true(has(&t, "yes"));
    assert_false(has(&t, "no"));
    static const char awaited[] =
        "async function f() {\n"
        "  const all = await Promise.all([fetch('/b').then(r => r.json()), 1]);\n"
        "  return all[0].yes;\n}\n";
    t = takes_of(awaited, "fetch");
    assert_true(has(&t, "yes"));
}

static void test_what_is_taken_if_it_is_a_list_alone_is_told(void **state)
{
    (void)state;
    static const char one[] = "fetch('/a').then((r) => r.json()).then((d) => {\n"
                              "  rows = Array.isArray(d) ? d : [];\n});\n";
    static const char both[] = "fetch('/a').then((r) => r.json()).then((d) => {\n"
                               "  rows = Array.isArray(d) ? d : d.items;\n});\n";
    struct takes t = takes_of(one, "fetch");
    bool told = false;
    for (size_t i = 0; i < t.count; i++)
        told = told || t.items[i].how == TAKE_AS_LIST;
    assert_true(told);
    t = takes_of(both, "fetch");
    for (size_t i = 0; i < t.count; i++)
        assert_int_not_equal(t.items[i].how, TAKE_AS_LIST);
}

static void test_what_stands_in_for_an_answer_that_is_an_error_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        enum stand_in kind;
    } cases[] = {
        { "fetch(u); return answer.ok ? answer.json() : { certificates: true };", STAND_IN_VALUE },
        { "fetch(u).then((r) => (r.ok ? r.json() : { size: 20 }))", STAND_IN_VALUE },
        { "fetch(u).then(r => r.ok ? f({ a: 1 }, b ? 1 : 2) : ['title'])", STAND_IN_VALUE },
        { "fetch(u); return r.ok ? r.json() : { items: [] };", STAND_IN_NOTHING },
        { "fetch(u); return r.ok ? r.json() : null;", STAND_IN_NOTHING },
        { "fetch(u); const list = r.ok ? await r.json() : NONE;", STAND_IN_NONE },
        { "fetch(u); return r.ok ? r.json() : { error: 'gone' };", STAND_IN_NOTHING },
        { "fetch(u); if (!r.ok) throw new Error('gone');", STAND_IN_NONE },
        { "fetch(u); return r.ok ?? { a: 1 };", STAND_IN_NONE },
        { "fetch(u); return r.ok ? r.json()", STAND_IN_NONE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (mgi_source_if_not_ok(str_of(cases[i].code)) != cases[i].kind)
            fail_msg("%s", cases[i].code);
}

static enum stand_in stand_in_of(const char *text)
{
    struct call_site call = at_mark(text, "get(");
    return mgi_source_stand_in(&call.place);
}

static void test_what_stands_in_for_an_answer_is_a_value_or_nothing(void **state)
{
    (void)state;
    assert_int_equal(
        stand_in_of("try { return await api.get('/a'); } catch (e) { return 'later'; }"),
        STAND_IN_VALUE);
    assert_int_equal(
        stand_in_of("try { x = await api.get('/a'); } catch (e) { x = { list: [] }; }"),
        STAND_IN_NOTHING);
    assert_int_equal(stand_in_of("try { x = await api.get('/a'); } catch (e) { console.warn(e); }"),
                     STAND_IN_NOTHING);
    assert_int_equal(
        stand_in_of("try { x = await api.get('/a'); } catch (e) { throw new Error(); }"),
        STAND_IN_NONE);
    assert_int_equal(stand_in_of("a = await api.get('/a').catch(() => DEFAULTS);"), STAND_IN_VALUE);
    assert_int_equal(stand_in_of("a = await api.get('/a').catch(() => ({ text: 'none' }));"),
                     STAND_IN_VALUE);
    assert_int_equal(stand_in_of("a = await api.get('/a').then(f).catch(() => []);"),
                     STAND_IN_NOTHING);
    assert_int_equal(stand_in_of("a = await api.get('/a');"), STAND_IN_NONE);
    assert_int_equal(stand_in_of("api.get('/a').then(f).catch(() => { box.remove(); });"),
                     STAND_IN_PLACE);
    assert_int_equal(
        stand_in_of("api.get('/a').catch(() => { box.hidden = true; p.textContent = 'No.'; });"),
        STAND_IN_VALUE);
    /* What is kept of the error is nothing in place of the answer. */
    assert_int_equal(stand_in_of("try { x = await api.get('/a'); } catch (e) { last = e; }"),
                     STAND_IN_NOTHING);
    assert_int_equal(
        stand_in_of("try { x = await api.get('/a'); } catch (e) { return Result.fail(e); }"),
        STAND_IN_NOTHING);
    assert_int_equal(
        stand_in_of("a = await api.get('/a').catch(() => ({ ok: false, error: 'offline' }));"),
        STAND_IN_NOTHING);
}

static void test_a_call_says_what_it_asks_for_or_does_not(void **state)
{
    (void)state;
    struct call_site call = at_mark("api.get(`/visits/${id}/move`)", "get(");
    assert_true(mgi_source_call_has(&call.place, STR_LIT("move")));
    call = at_mark("fetch(base + path)", "fetch");
    assert_false(mgi_source_call_has(&call.place, STR_LIT("move")));
}

static void test_fields_are_made_of_something_else_or_carried_over(void **state)
{
    (void)state;
    const struct str name = STR_LIT("with");
    assert_true(mgi_source_makes(STR_LIT("x = { at: r.at, with: raw.person };"), name));
    assert_true(mgi_source_makes(STR_LIT("slot.with = pick(raw);"), name));
    assert_false(mgi_source_makes(STR_LIT("x = { with: raw.with };"), name));
    assert_false(mgi_source_makes(STR_LIT("const { with: other } = raw; x.with.name;"), name));
    assert_false(mgi_source_makes(STR_LIT(""), name));
}

static bool in_for_each(const char *text)
{
    struct call_site call = at_mark(text, "get(");
    return mgi_source_in_for_each(&call.place);
}

static void test_what_for_each_does_not_wait_for(void **state)
{
    (void)state;
    assert_true(in_for_each("list.forEach(async (a) => { const b = await api.get(`/a/${a}`); });"));
    assert_true(in_for_each("list.forEach(async function (a) { if (a) { await get(a); } });"));
    assert_false(in_for_each("list.forEach((a) => { get(a); });"));
    assert_false(in_for_each("await Promise.all(list.map(async (a) => get(a)));"));
    assert_false(in_for_each("for (const a of list) await get(a);"));
    assert_false(in_for_each("list.forEach(show); get(1);"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_answer_is_followed_from_fetch_to_what_is_read_of_it),
        cmocka_unit_test(test_what_was_settled_is_within_its_outcome),
        cmocka_unit_test(test_a_client_may_choose_what_it_gives_back),
        cmocka_unit_test(test_an_answer_may_be_handed_to_the_callers_function),
        cmocka_unit_test(test_an_answer_may_be_read_as_a_text_first),
        cmocka_unit_test(test_what_is_given_back_may_be_a_member_of_the_answer),
        cmocka_unit_test(test_an_answer_is_followed_through_callbacks_and_named_functions),
        cmocka_unit_test(test_wrappers_give_their_callers_the_answer),
        cmocka_unit_test(test_what_a_member_is_compared_with_is_told_by_its_form),
        cmocka_unit_test(test_functions_of_other_scripts_are_found_by_name),
        cmocka_unit_test(test_what_is_not_understood_is_left_out),
        cmocka_unit_test(test_an_answer_may_resolve_a_promise_or_go_to_a_member_of_the_options),
        cmocka_unit_test(test_listeners_constructors_and_functions_of_objects_get_what_is_given),
        cmocka_unit_test(test_a_response_is_given_at_once_to_what_reads_it),
        cmocka_unit_test(test_answers_that_came_together_are_told_apart_by_their_numbers),
        cmocka_unit_test(test_what_is_taken_if_it_is_a_list_alone_is_told),
        cmocka_unit_test(test_what_stands_in_for_an_answer_is_a_value_or_nothing),
        cmocka_unit_test(test_a_call_says_what_it_asks_for_or_does_not),
        cmocka_unit_test(test_fields_are_made_of_something_else_or_carried_over),
        cmocka_unit_test(test_what_stands_in_for_an_answer_that_is_an_error_is_told),
        cmocka_unit_test(test_what_for_each_does_not_wait_for),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
