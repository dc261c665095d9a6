/* The numbers of the tool host that have no switch (toolhost.md 0.1), in bytes and milliseconds. */
#ifndef TOOLHOST_SIZES_H
#define TOOLHOST_SIZES_H

enum {
    MAX_REQUEST_BYTES = 10485760,  /* one line of --serve, stdin of --run (T-CLI-17, T-CLI-18) */
    MAX_RESPONSE_BYTES = 1048576,  /* line end included (T-RSP-7) */
    MAX_OUTPUT_BYTES = 1048576,    /* of a tool (T-RSP-6) */
    MAX_ERROR_BYTES = 4096,        /* of every `error` member (T-RSP-5) */
    MAX_FORWARDED_BYTES = 65536,   /* of what a tool prints, per call (T-CLI-26) */
    MAX_CONTROL_BACKLOG = 1048576, /* unread answers on the control channel (T-REQ-8) */
    MAX_REQUEST_ARENA = 536870912, /* what one parsed request may take: small values of a large
                                    * line need much more room than their text */

    DS_SLOTS = 8,
    MAX_TYPE_BYTES = 128,
    MAX_PROVENANCE_BYTES = 256,
    MAX_CONTENT_BYTES = 1048576, /* of one slot (T-STATE-4) */

    MAX_AID_BYTES = 128,
    MAX_NAME_BYTES = 64,
    MAX_TOOLS =
        4096, /* of one plugin; more than anyone writes, and a bound for the worker's word */

    /* What a worker may send at once: a whole state, an output, and room for lengths. The list of
     * tools has the same bound. */
    MAX_WORKER_FRAME = DS_SLOTS * (MAX_CONTENT_BYTES + 1024) + MAX_OUTPUT_BYTES + 65536,
    /* What the host may send: a state, and a request line in parts. */
    MAX_HOST_FRAME = DS_SLOTS * (MAX_CONTENT_BYTES + 1024) + 2 * MAX_REQUEST_BYTES,

    LOAD_LIMIT_MS = 10000,  /* open, init and check a plugin (T-LIM-3) */
    FINI_LIMIT_MS = 1000,   /* toolhost_plugin_fini (T-ABI-23) */
    DEATH_LIMIT_MS = 500,   /* for the kernel to end a killed worker */
    EXIT_NEWS_MS = 100,     /* between the end of a worker's socket and the news of its end */
    SWEEP_LIMIT_MS = 800,   /* to kill what a worker left behind (T-CLI-24) */
    MAX_KEPT_PROCESSES = 8, /* of processes.v1 */
    MAX_CALL_MS = 86400000, /* the longest limit anyone can ask for */

    IDEM_LIFE_MS = 60000,
    IDEM_ENTRIES = 1024,
    IDEM_BYTES = 67108864,

    LEASE_ENTRIES = 1024,
    LEASE_MIN_MS = 1000,
    LEASE_MAX_MS = 300000,
    LEASE_DEFAULT_MS = 10000
};

#endif
