/* The numbers, written: one table for what is a plain number, and the few that have labels. */
#include "service/metrics.h"

#include <string.h>

#include "base/time.h"
#include "service/exposition.h"

void mgi_request_counts_add(struct request_counts *c, const struct access_record *record)
{
    size_t t = 0;
    while (t < METRIC_TRANSPORTS - 1 && c->transports[t] &&
           strcmp(c->transports[t], record->transport) != 0)
        t++;
    if (!c->transports[t])
        c->transports[t] = record->transport;
    c->requests[t][mgi_message_type(str_of(record->type))]++;
}

/* ---- plain numbers --------------------------------------------------------------------------- */

enum number { NUMBER_U64, NUMBER_U32, NUMBER_NS /* shown in seconds */ };

struct plain {
    const char *name;
    enum metric_kind kind;
    enum number number;
    size_t offset;
    const char *help;
};

#define WHOLE(field) offsetof(struct service_metrics, field)
#define SERVER(field)                                                                              \
    (offsetof(struct service_metrics, server) + offsetof(struct server_metrics, field))

static const struct plain plain[] = {
    { "manglecp_start_time_seconds", METRIC_GAUGE, NUMBER_NS, WHOLE(started_real_ns),
      "When the server was started, in seconds since 1970." },
    { "manglecp_reloads_total", METRIC_COUNTER, NUMBER_U64, WHOLE(reloads),
      "Times that the domain was loaded again." },
    { "manglecp_reload_failures_total", METRIC_COUNTER, NUMBER_U64, WHOLE(reload_failures),
      "Times that it could not be loaded, and the old one went on serving." },
    { "manglecp_last_load_time_seconds", METRIC_GAUGE, NUMBER_NS, WHOLE(reloaded_real_ns),
      "When what is served was loaded, in seconds since 1970." },
    { "manglecp_listeners", METRIC_GAUGE, NUMBER_U32, WHOLE(listeners),
      "Addresses that are listened on." },
    { "manglecp_connections", METRIC_GAUGE, NUMBER_U32, WHOLE(connections),
      "Open network connections." },
    { "manglecp_held_bytes", METRIC_GAUGE, NUMBER_U64, WHOLE(bytes_held),
      "Bytes that connections hold back: requests in the making, answers not taken yet." },
    { "manglecp_held_limit_bytes", METRIC_GAUGE, NUMBER_U64, WHOLE(bytes_limit),
      "How much that may be." },
    { "manglecp_store_bytes", METRIC_GAUGE, NUMBER_U64, WHOLE(store_bytes),
      "What the store's records take." },
    { "manglecp_log_lines_lost_total", METRIC_COUNTER, NUMBER_U64, WHOLE(log_lines_lost),
      "Log lines that nobody took." },
    { "manglecp_decisions_total", METRIC_COUNTER, NUMBER_U64, WHOLE(decisions.written),
      "Decisions that were recorded." },
    { "manglecp_decisions_lost_total", METRIC_COUNTER, NUMBER_U64, WHOLE(decisions.lost),
      "Decisions that could not be recorded; their requests were answered." },
    { "manglecp_decision_log_bytes_total", METRIC_COUNTER, NUMBER_U64, WHOLE(decisions.bytes),
      "Bytes of the decision log." },
    { "manglecp_decision_log_waiting_bytes", METRIC_GAUGE, NUMBER_U64,
      WHOLE(decisions.waiting_bytes), "Bytes that wait to be written there." },
    { "manglecp_journal_records_total", METRIC_COUNTER, NUMBER_U64, WHOLE(journal.records),
      "Beginnings and ends of runs and steps that the journal has." },
    { "manglecp_journal_flushes_total", METRIC_COUNTER, NUMBER_U64, WHOLE(journal.flushes),
      "Times that it was flushed to the disk, for all who waited." },
    { "manglecp_journal_refused_total", METRIC_COUNTER, NUMBER_U64, WHOLE(journal.refused),
      "Steps with effects that were not sent because it could not be written." },
    { "manglecp_journal_unrecorded_total", METRIC_COUNTER, NUMBER_U64, WHOLE(journal.unrecorded),
      "Steps without effects that it does not have." },
    { "manglecp_journal_waiting", METRIC_GAUGE, NUMBER_U32, WHOLE(journal.waiting),
      "Records that wait to be written there." },
    { "manglecp_journal_bytes", METRIC_GAUGE, NUMBER_U64, WHOLE(journal.bytes),
      "How large it is." },
    { "manglecp_received_bytes_total", METRIC_COUNTER, NUMBER_U64, SERVER(bytes_in),
      "Bytes of messages received." },
    { "manglecp_sent_bytes_total", METRIC_COUNTER, NUMBER_U64, SERVER(bytes_out),
      "Bytes of messages sent." },
    { "manglecp_replays_total", METRIC_COUNTER, NUMBER_U64, SERVER(replays),
      "Invocations answered by their idempotency key, without running again." },
    { "manglecp_evaluations_total", METRIC_COUNTER, NUMBER_U64, SERVER(evaluations),
      "Evaluations of rules for intents." },
    { "manglecp_evaluation_seconds_total", METRIC_COUNTER, NUMBER_NS, SERVER(evaluation_ns),
      "Time that they took." },
    { "manglecp_effects_total", METRIC_COUNTER, NUMBER_U64, SERVER(effects),
      "Evaluations of effects rules after invocations." },
    { "manglecp_effects_seconds_total", METRIC_COUNTER, NUMBER_NS, SERVER(effects_ns),
      "Time that they took." },
    { "manglecp_effects_failures_total", METRIC_COUNTER, NUMBER_U64, SERVER(effects_failed),
      "Those of them that failed: the answer said that its delta is not whole." },
    { "manglecp_manifests_pushed_total", METRIC_COUNTER, NUMBER_U64, SERVER(manifests_pushed),
      "Manifests sent to sessions because something had changed." },
    { "manglecp_peers", METRIC_GAUGE, NUMBER_U32, SERVER(peers),
      "Callers: sessions, and HTTP requests under way." },
    { "manglecp_sessions", METRIC_GAUGE, NUMBER_U32, SERVER(sessions),
      "Those of them that are sessions." },
    { "manglecp_open_requests", METRIC_GAUGE, NUMBER_U32, SERVER(open_requests),
      "Requests that are not answered yet." },
    { "manglecp_oldest_request_seconds", METRIC_GAUGE, NUMBER_NS, SERVER(oldest_open_ns),
      "How long the oldest of them has been open." },
    { "manglecp_invocations", METRIC_GAUGE, NUMBER_U32, SERVER(invocations),
      "Those of them whose chain of actions is running." },
    { "manglecp_rate_windows", METRIC_GAUGE, NUMBER_U32, SERVER(rate_windows),
      "Callers whose rate is being counted." },
    { "manglecp_hosts", METRIC_GAUGE, NUMBER_U32, SERVER(hosts), "Processes that run plugins." },
    { "manglecp_busy_hosts", METRIC_GAUGE, NUMBER_U32, SERVER(busy_hosts),
      "Those of them that belong to an invocation." },
    { "manglecp_waiting_for_host", METRIC_GAUGE, NUMBER_U32, SERVER(waiting_for_host),
      "Invocations that wait for one." },
    { "manglecp_hosts_started_total", METRIC_COUNTER, NUMBER_U64, SERVER(hosts_started),
      "Plugin processes started." },
    { "manglecp_host_failures_total", METRIC_COUNTER, NUMBER_U64, SERVER(hosts_failed),
      "Plugin processes that could not be started." },
};

/* The sample of a row, from the struct that its offset counts in. */
static void print_number(struct buf *out, const struct plain *row,
                         const struct metric_label *labels, const void *from)
{
    const char *at = (const char *)from + row->offset;
    int64_t value;
    if (row->number == NUMBER_U32) {
        uint32_t small;
        memcpy(&small, at, sizeof small);
        value = small;
    } else {
        memcpy(&value, at, sizeof value); /* uint64_t counters do not reach the sign */
    }
    if (row->number == NUMBER_NS)
        mgi_metric_float(out, row->name, labels, (double)value / NS_PER_SEC);
    else
        mgi_metric_int(out, row->name, labels, value);
}

/* ---- what has labels ------------------------------------------------------------------------- */

/* The one of several states that holds is 1. */
static void print_status(struct buf *out, const struct service_metrics *m)
{
    mgi_metric_family(out, "manglecp_status", METRIC_GAUGE,
                      "1 for the state that the server is in.");
    for (int s = SERVER_BOOTING; s <= SERVER_DRAINING; s++) {
        const char *name = mgi_server_status_name((enum server_status)s);
        const struct metric_label labels[] = { { "status", str_of(name) }, { 0 } };
        mgi_metric_int(out, "manglecp_status", labels, m->status == (enum server_status)s);
    }
}

static void print_build(struct buf *out, const struct service_metrics *m)
{
    const struct metric_label labels[] = { { "version", str_of(m->version) },
                                           { "protocol", STR_LIT(MANGLECP_PROTOCOL) },
                                           { "rules", m->rules_version },
                                           { 0 } };
    mgi_metric_family(out, "manglecp_build_info", METRIC_GAUGE,
                      "Always 1; says what is running, and the digest of the rules it serves.");
    mgi_metric_int(out, "manglecp_build_info", labels, 1);
}

static const char *type_name(int type)
{
    return type == MSG_UNKNOWN ? "unreadable" : mgi_message_type_name((enum message_type)type);
}

static void print_requests(struct buf *out, const struct request_counts *c)
{
    mgi_metric_family(out, "manglecp_requests_total", METRIC_COUNTER,
                      "Requests that were answered.");
    for (int t = 0; t < METRIC_TRANSPORTS && c->transports[t]; t++)
        for (int type = 0; type < METRIC_TYPES; type++) {
            const struct metric_label labels[] = { { "transport", str_of(c->transports[t]) },
                                                   { "type", str_of(type_name(type)) },
                                                   { 0 } };
            if (c->requests[t][type] > 0)
                mgi_metric_int(out, "manglecp_requests_total", labels,
                               (int64_t)c->requests[t][type]);
        }
}

static void print_errors(struct buf *out, const struct server_metrics *m)
{
    mgi_metric_family(out, "manglecp_errors_total", METRIC_COUNTER,
                      "Requests that were answered with an error.");
    for (int code = WIRE_OK + 1; code < METRIC_CODES; code++) {
        const char *name = mgi_wire_code((enum wire_code)code)->name;
        const struct metric_label labels[] = { { "code", str_of(name) }, { 0 } };
        if (m->outcomes[code] > 0)
            mgi_metric_int(out, "manglecp_errors_total", labels, (int64_t)m->outcomes[code]);
    }
}

static void print_latency(struct buf *out, const struct server_metrics *m)
{
    double bounds[METRIC_BOUNDS];
    for (int i = 0; i < METRIC_BOUNDS; i++)
        bounds[i] = (double)mgi_metric_bound_us[i] / 1e6;
    mgi_metric_family(out, "manglecp_request_duration_seconds", METRIC_HISTOGRAM,
                      "From the last byte of a request to its answer.");
    for (int type = 0; type < METRIC_TYPES; type++) {
        const struct histogram *h = &m->latency[type];
        const struct metric_label labels[] = { { "type", str_of(type_name(type)) }, { 0 } };
        if (h->count > 0)
            mgi_metric_histogram(out, "manglecp_request_duration_seconds", labels, bounds,
                                 h->buckets, METRIC_BOUNDS, (double)h->sum_us / 1e6);
    }
}

/* ---- lanes of workers ------------------------------------------------------------------------ */

static const struct plain lane_rows[] = {
    { "manglecp_workers", METRIC_GAUGE, NUMBER_U32, offsetof(struct lane_metrics, limit),
      "Threads that work, of each lane." },
    { "manglecp_busy_workers", METRIC_GAUGE, NUMBER_U32, offsetof(struct lane_metrics, running),
      "Those of them that do." },
    { "manglecp_waiting_jobs", METRIC_GAUGE, NUMBER_U32, offsetof(struct lane_metrics, waiting),
      "Work that waits for one." },
    { "manglecp_jobs_total", METRIC_COUNTER, NUMBER_U64, offsetof(struct lane_metrics, jobs),
      "Work that was begun." },
    { "manglecp_job_wait_seconds_total", METRIC_COUNTER, NUMBER_NS,
      offsetof(struct lane_metrics, waited_ns), "Time that work waited." },
    { "manglecp_job_seconds_total", METRIC_COUNTER, NUMBER_NS,
      offsetof(struct lane_metrics, ran_ns), "Time that it took." },
    { "manglecp_jobs_refused_total", METRIC_COUNTER, NUMBER_U64,
      offsetof(struct lane_metrics, refused), "Work for which there was no place." },
};

static void print_lane(struct buf *out, const struct plain *row, const char *name,
                       const struct lane_metrics *lane)
{
    const struct metric_label labels[] = { { "lane", str_of(name) }, { 0 } };
    print_number(out, row, labels, lane);
}

void mgi_metrics_print(struct buf *out, const struct service_metrics *m)
{
    print_build(out, m);
    print_status(out, m);
    print_requests(out, m->counts);
    print_errors(out, &m->server);
    print_latency(out, &m->server);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        mgi_metric_family(out, plain[i].name, plain[i].kind, plain[i].help);
        print_number(out, &plain[i], NULL, m);
    }
    for (size_t i = 0; i < sizeof lane_rows / sizeof *lane_rows; i++) {
        mgi_metric_family(out, lane_rows[i].name, lane_rows[i].kind, lane_rows[i].help);
        print_lane(out, &lane_rows[i], "quick", &m->server.quick);
        print_lane(out, &lane_rows[i], "slow", &m->server.slow);
    }
}
