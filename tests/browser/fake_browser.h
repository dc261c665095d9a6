/* A browser that is none: a program that speaks DevTools messages on descriptors 3 and 4 and does
 * what its mode says. A test's program becomes it when it is started as a browser would be; the
 * mode is the text of LANG, one of the few variables that a browser gets. */
#ifndef TESTS_BROWSER_FAKE_BROWSER_H
#define TESTS_BROWSER_FAKE_BROWSER_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *fake_mode;

static void fake_answer(const char *message);

static void fake_write(const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(4, text, len);
        if (n <= 0)
            _exit(0);
        text += n;
        len -= (size_t)n;
    }
}

static void fake_say(const char *text)
{
    fake_write(text, strlen(text) + 1);
}

static bool fake_is(const char *mode)
{
    return strcmp(fake_mode, mode) == 0;
}

/* A text that is long: `count` letters between two others. */
static void fake_say_long(const char *before, size_t count, const char *after)
{
    char letters[4096];
    memset(letters, 'x', sizeof letters);
    fake_write(before, strlen(before));
    for (; count > 0; count -= count < sizeof letters ? count : sizeof letters)
        fake_write(letters, count < sizeof letters ? count : sizeof letters);
    fake_say(after);
}

static const char *fake_result(const char *message)
{
    if (strstr(message, "\"Target.createBrowserContext\""))
        return "{\"browserContextId\":\"C1\"}";
    if (strstr(message, "\"Target.createTarget\""))
        return "{\"targetId\":\"T1\"}";
    if (strstr(message, "\"Target.attachToTarget\""))
        return "{\"sessionId\":\"S1\"}";
    if (strstr(message, "\"Page.createIsolatedWorld\""))
        return "{\"executionContextId\":7}";
    if (strstr(message, "\"Page.navigate\""))
        return "{\"frameId\":\"T1\",\"loaderId\":\"L1\"}";
    if (strstr(message, "\"Runtime.callFunctionOn\""))
        return "{\"result\":{\"type\":\"object\",\"value\":{\"url\":\"http://127.0.0.1:9/\","
               "\"title\":\"made up\",\"text\":\"words\",\"headings\":[],\"elements\":[]}}}";
    if (strstr(message, "\"Network.getCookies\""))
        return "{\"cookies\":[{\"name\":\"sid\",\"value\":\"very secret\",\"path\":\"/\"}]}";
    if (strstr(message, "\"Page.captureScreenshot\""))
        return "{\"data\":\"aGk=\"}";
    if (strstr(message, "\"Network.getResponseBody\""))
        return "{\"body\":\"[1,2]\",\"base64Encoded\":false}";
    if (fake_is("boasts") && strstr(message, "\"Memory.getDOMCounters\""))
        return "{\"documents\":9223372036854775807,\"nodes\":1e300,\"jsEventListeners\":-1e300}";
    if (fake_is("boasts") && strstr(message, "\"Runtime.getHeapUsage\""))
        return "{\"usedSize\":9223372036854775807}";
    if (strstr(message, "\"Debugger.getScriptSource\""))
        return "{\"scriptSource\":\"a();\\nb.c();\\n\"}";
    return "{}";
}

static void fake_events(void)
{
    fake_say("{\"method\":\"Network.requestWillBeSent\",\"params\":{\"requestId\":\"1.1\","
             "\"type\":\"Fetch\",\"request\":{\"url\":\"http://127.0.0.1:9/a\"}},"
             "\"sessionId\":\"S1\"}");
    fake_say("{\"method\":\"Runtime.exceptionThrown\",\"params\":{\"exceptionDetails\":{"
             "\"text\":\"Uncaught\",\"lineNumber\":1,\"columnNumber\":2,\"scriptId\":\"5\","
             "\"url\":\"http://127.0.0.1:9/a.js\"}},\"sessionId\":\"S1\"}");
    fake_say("{\"method\":\"Network.loadingFinished\",\"params\":{\"requestId\":\"1.1\"},"
             "\"sessionId\":\"S1\"}");
    fake_say("{\"method\":\"Page.javascriptDialogOpening\",\"params\":{\"message\":\"hm\"},"
             "\"sessionId\":\"S1\"}");
    fake_say("{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S2\","
             "\"targetInfo\":{\"targetId\":\"T2\",\"type\":\"worker\"}},\"sessionId\":\"S1\"}");
    fake_say("{\"method\":\"Runtime.bindingCalled\",\"params\":{\"name\":\"__machina\","
             "\"payload\":\"{\\\"k\\\":\\\"input\\\",\\\"t\\\":1,\\\"type\\\":\\\"click\\\"}\"},"
             "\"sessionId\":\"S1\"}");
}

/* Numbers that no browser has. */
static void fake_boasts(void)
{
    char text[256];
    fake_say("{\"method\":\"Runtime.exceptionThrown\",\"params\":{\"exceptionDetails\":{"
             "\"text\":\"Uncaught\",\"lineNumber\":9223372036854775807,\"columnNumber\":"
             "9223372036854775807,\"scriptId\":\"6\",\"url\":\"http://127.0.0.1:9/a.js\"}},"
             "\"sessionId\":\"S1\"}");
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text,
                 "{\"method\":\"Browser.downloadWillBegin\",\"params\":{\"guid\":\"%sB%d\"}}",
                 i == 2 ? "../" : "", i);
        fake_say(text);
        snprintf(text, sizeof text,
                 "{\"method\":\"Browser.downloadProgress\",\"params\":{\"guid\":\"B%d\","
                 "\"receivedBytes\":9223372036854775807,\"state\":\"inProgress\"}}",
                 i);
        fake_say(text);
    }
}

/* Windows that pages have opened: one of a person's tab, one of ours. */
static void fake_windows(void)
{
    fake_say("{\"method\":\"Target.targetCreated\",\"params\":{\"targetInfo\":{\"targetId\":\"T8\","
             "\"type\":\"page\",\"openerId\":\"T7\",\"url\":\"http://private.test/\","
             "\"browserContextId\":\"C0\"}}}");
    fake_say("{\"method\":\"Target.targetCreated\",\"params\":{\"targetInfo\":{\"targetId\":\"T9\","
             "\"type\":\"page\",\"openerId\":\"T1\",\"url\":\"http://127.0.0.1:9/window\","
             "\"browserContextId\":\"C1\"}}}");
    fake_say("{\"method\":\"Target.targetCrashed\",\"params\":{\"targetId\":\"T8\","
             "\"status\":\"private\"}}");
}

static void fake_navigated(const char *loader)
{
    char text[192];
    snprintf(
        text, sizeof text,
        "{\"method\":\"Page.frameNavigated\",\"params\":{\"frame\":{\"id\":\"T1\",\"loaderId\":"
        "\"%s\",\"url\":\"http://127.0.0.1:9/\"}},\"sessionId\":\"S1\"}",
        loader);
    fake_say(text);
}

/* What was asked for comes, and another document after it: "moves" because it asks for it itself,
 * "flees" and "flees once" because the one before had done so. */
static void fake_others(void)
{
    static int count;
    bool again = fake_is("flees") || (fake_is("flees once") && count++ == 0);
    fake_navigated("L1");
    if (fake_is("moves"))
        fake_say("{\"method\":\"Page.frameRequestedNavigation\",\"params\":{\"frameId\":\"T1\","
                 "\"reason\":\"scriptInitiated\"},\"sessionId\":\"S1\"}");
    if (again || fake_is("moves"))
        fake_navigated("L2");
}

/* A page whose thread is busy from A.hold on, until it is freed: what it is asked stands in a
 * queue. From A.stop on it does not answer, and cannot be freed; the next page does. */
static bool fake_holds(const char *message)
{
    static char held[4][4096];
    static size_t count;
    static bool holds, stopped;
    holds |= strstr(message, "\"A.hold\"") != NULL;
    stopped = (stopped || strstr(message, "\"A.stop\"")) && !strstr(message, "createTarget");
    if (strstr(message, "terminateExecution")) {
        holds = false;
        for (size_t i = 0; i < count; i++)
            fake_answer(held[i]);
        count = 0;
    }
    bool of_thread = strstr(message, "\"Runtime.evaluate\"") || strstr(message, "callFunctionOn");
    if (holds && of_thread && count < 4)
        snprintf(held[count++], sizeof held[0], "%s", message);
    return (holds || stopped) && of_thread;
}

/* More of them than are taken; what then comes of the last one is told as an error of the page. */
static void fake_downloads(void)
{
    char text[256];
    for (int i = 0; i <= 20; i++) {
        snprintf(text, sizeof text,
                 "{\"method\":\"Browser.downloadWillBegin\",\"params\":{\"guid\":\"G%d\","
                 "\"url\":\"http://127.0.0.1:9/f\",\"suggestedFilename\":\"f\"}}",
                 i);
        fake_say(text);
    }
}

static void fake_told(const char *what, bool ours)
{
    char text[192];
    snprintf(text, sizeof text,
             "{\"method\":\"Runtime.exceptionThrown\",\"params\":{\"exceptionDetails\":{"
             "\"text\":\"%s %s\"}},\"sessionId\":\"S1\"}",
             what, ours ? "in C1" : "elsewhere");
    fake_say(text);
}

/* A message of ours is answered as the mode says. */
static void fake_answer(const char *message)
{
    long id = atol(message + strlen("{\"id\":"));
    char begin[64];
    if (fake_holds(message) || fake_is("deaf") ||
        (fake_is("hangs") && strstr(message, "callFunctionOn")))
        return;
    if (fake_is("dies") && strstr(message, "callFunctionOn"))
        raise(SIGKILL);
    if (fake_is("garbage")) {
        static const char nonsense[] =
            "\0\0{\"id\":\0[]\0{\"method\":5}\0words\0{\"id\":99999999}\0\xff\xfe\0{";
        fake_write(nonsense, sizeof nonsense);
        fake_say("{\"method\":\"A.b\",\"params\":[1]}");
        fake_say_long("{\"method\":\"A.long\",\"params\":{\"a\":\"", 600000, "\"}}");
    }
    if (fake_is("flood"))
        for (int i = 0; i < 200; i++)
            fake_say("{\"method\":\"Runtime.consoleAPICalled\",\"params\":{\"type\":\"log\","
                     "\"args\":[{\"value\":\"again\"}]},\"sessionId\":\"S1\"}");
    bool ours = strstr(message, "\"browserContextId\":\"C1\"}");
    if (strstr(message, "\"Browser.cancelDownload\""))
        fake_told("given up", ours && strstr(message, "{\"guid\":\"G20\","));
    if (strstr(message, "\"behavior\":\"deny\""))
        fake_told("denied", ours);
    if (strstr(message, "\"Page.navigate\"")) {
        fake_events();
        if (fake_is("moves") || fake_is("flees") || fake_is("flees once"))
            fake_others();
        if (fake_is("windows"))
            fake_windows();
        if (fake_is("downloads"))
            fake_downloads();
        if (fake_is("boasts"))
            fake_boasts();
    }
    if (fake_is("counts") && strstr(message, "callFunctionOn")) {
        char text[128];
        snprintf(text, sizeof text,
                 "{\"id\":%ld,\"result\":{\"result\":{\"value\":{\"value\":{\"number\":%ld}}}}}",
                 id, id);
        fake_say(text);
        return;
    }
    if ((fake_is("refuses") && strstr(message, "callFunctionOn")) ||
        (fake_is("contextless") && strstr(message, "createBrowserContext"))) {
        snprintf(begin, sizeof begin, "{\"id\":%ld,", id);
        fake_say_long(begin, 0, "\"error\":{\"code\":-32000,\"message\":\"not today\"}}");
        return;
    }
    snprintf(begin, sizeof begin, "{\"id\":%ld,\"result\":", id);
    fake_write(begin, strlen(begin));
    if (strstr(message, "A.large")) {
        fake_say_long("\"", 3000000, "\"}");
        return;
    }
    fake_write(fake_result(message), strlen(fake_result(message)));
    fake_say("}");
}

/* True: this process is to be a browser, and has been one until its end. */
static bool fake_browser(int argc, char **argv)
{
    static char in[1 << 20];
    size_t len = 0;
    ssize_t n;
    bool wanted = false;
    for (int i = 1; i < argc; i++)
        wanted |= strcmp(argv[i], "--remote-debugging-pipe") == 0;
    if (!wanted)
        return false;
    fake_mode = getenv("LANG") ? getenv("LANG") : "";
    if (fake_is("unwilling")) {
        fprintf(stderr, "no screen,\nno fun");
        return true;
    }
    while ((n = read(3, in + len, sizeof in - len)) > 0) {
        len += (size_t)n;
        char *end;
        while ((end = memchr(in, '\0', len)) != NULL) {
            size_t whole = (size_t)(end - in) + 1;
            if (strstr(in, "\"Browser.close\""))
                return true;
            fake_answer(in);
            memmove(in, in + whole, len - whole);
            len -= whole;
        }
    }
    return true;
}

#endif
