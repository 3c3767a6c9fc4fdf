// Requests at fixed times over libcurl's multi interface, for tarmac-bench latency: the same as Sources/TarmacBench/Latency/OpenLoop.swift.
//
//   curl URL 1.1|2 RATE SECONDS WARMUP     prints {"micros": [...], "failures": N}
//
// cc -O2 -pthread scripts/support/curl.c -lcurl
#include <curl/curl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIZE = 1024, CONNECTIONS = 64 };

struct request {
    CURL *handle;
    uint64_t due;
    size_t bytes;
    int counts;
    struct request *next;
};

static CURLM *multi;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t first;
static double rate;
static long started, warm, all;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t due(long index) { return first + (uint64_t)((double)index * 1e9 / rate); }

// Keeps the times, as the thread of OpenLoop does.
static void *pace(void *unused) {
    for (long index = 0; index < all; index++) {
        uint64_t then = due(index), before = now();
        if (then > before) {
            struct timespec rest = {(time_t)((then - before) / 1000000000u), (long)((then - before) % 1000000000u)};
            nanosleep(&rest, NULL);
        }
        pthread_mutex_lock(&lock);
        started = index + 1;
        pthread_mutex_unlock(&lock);
        curl_multi_wakeup(multi);
    }
    return unused;
}

static size_t take(char *data, size_t size, size_t count, void *user) {
    (void)data;
    ((struct request *)user)->bytes += size * count;
    return size * count;
}

static struct request *make(const char *url, int isSecond, struct curl_slist *fields) {
    struct request *request = calloc(1, sizeof *request);
    CURL *handle = request->handle = curl_easy_init();
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, isSecond ? (long)CURL_HTTP_VERSION_2TLS : (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(handle, CURLOPT_PIPEWAIT, (long)isSecond);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "tarmac-bench");
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, 60L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, request);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, request);
    return request;
}

int main(int count, char **values) {
    if (count != 6) return 2;
    int isSecond = values[2][0] == '2';
    rate = atof(values[3]);
    warm = (long)(rate * atof(values[5]));
    all = warm + (long)(rate * atof(values[4]));
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)CONNECTIONS);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS);
    struct curl_slist *fields = curl_slist_append(NULL, "Accept: */*");
    struct request *idle = NULL;
    long begun = 0, ended = 0, failures = 0, kept = 0;
    long *micros = calloc((size_t)(all - warm) + 1, sizeof *micros);
    first = now() + 1000000;
    pthread_t pacer;
    pthread_create(&pacer, NULL, pace, NULL);
    while (ended < all) {
        pthread_mutex_lock(&lock);
        long wanted = started;
        pthread_mutex_unlock(&lock);
        for (; begun < wanted; begun++) {
            struct request *request = idle;
            if (request) idle = request->next; else request = make(values[1], isSecond, fields);
            request->due = due(begun);
            request->counts = begun >= warm;
            request->bytes = 0;
            curl_multi_add_handle(multi, request->handle);
        }
        int running, left;
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            struct request *request;
            long status = 0;
            CURL *handle = message->easy_handle;
            int isSound = message->data.result == CURLE_OK;
            curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)&request);
            curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
            if (request->counts) {
                micros[kept++] = (long)((now() - request->due) / 1000);
                if (!isSound || status != 200 || request->bytes != SIZE) failures++;
            }
            curl_multi_remove_handle(multi, handle);
            request->next = idle;
            idle = request;
            ended++;
        }
        if (ended < all) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    pthread_join(pacer, NULL);
    printf("{\"micros\": [");
    for (long index = 0; index < kept; index++) printf("%s%ld", index ? "," : "", micros[index]);
    printf("], \"failures\": %ld}\n", failures);
    return 0;
}
