#define _GNU_SOURCE  // RTLD_NEXT
#include "poster_resolver.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Never removed: a resolving thread may outlive its test.
struct entry {
    struct entry *next;
    char *name;
    char *address;  // NULL: hangs
    void (*asked)(void *context);
    void *context;
    size_t calls;
    bool is_released;
};

static struct entry *entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;

static struct entry *find(const char *name) {
    for (struct entry *entry = entries; entry; entry = entry->next)
        if (strcmp(entry->name, name) == 0) return entry;
    return NULL;
}

static void insert(struct entry blank) {
    struct entry *entry = malloc(sizeof *entry);
    *entry = blank;
    pthread_mutex_lock(&lock);
    entry->next = entries;
    entries = entry;
    pthread_mutex_unlock(&lock);
}

void poster_resolver_map(const char *name, const char *address) {
    insert((struct entry){.name = strdup(name), .address = strdup(address)});
}

void poster_resolver_hang(const char *name, void (*asked)(void *context), void *context) {
    insert((struct entry){.name = strdup(name), .asked = asked, .context = context});
}

void poster_resolver_release(const char *name) {
    pthread_mutex_lock(&lock);
    struct entry *entry = find(name);
    if (entry) entry->is_released = true;
    pthread_cond_broadcast(&released);
    pthread_mutex_unlock(&lock);
}

size_t poster_resolver_call_count(const char *name) {
    pthread_mutex_lock(&lock);
    struct entry *entry = find(name);
    size_t calls = entry ? entry->calls : 0;
    pthread_mutex_unlock(&lock);
    return calls;
}

typedef int (*resolve)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static bool is_test_name(const char *name) {
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".test") == 0;
}

// Returns NULL if the name is unknown, or once a hanging name is released.
static const char *address_of(const char *name) {
    pthread_mutex_lock(&lock);
    struct entry *entry = find(name);
    if (entry) entry->calls += 1;
    pthread_mutex_unlock(&lock);
    if (!entry || entry->address) return entry ? entry->address : NULL;

    entry->asked(entry->context);  // not under the lock: it is the test's code
    pthread_mutex_lock(&lock);
    while (!entry->is_released) pthread_cond_wait(&released, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict result) {
    resolve next = (resolve)dlsym(RTLD_NEXT, "getaddrinfo");
    if (!node || !is_test_name(node)) return next(node, service, hints, result);
    const char *address = address_of(node);
    if (!address) return EAI_NONAME;
    struct addrinfo literal = hints ? *hints : (struct addrinfo){0};
    literal.ai_flags |= AI_NUMERICHOST;
    literal.ai_family = AF_UNSPEC;  // libcurl may ask for one family only; the table has one address
    return next(address, service, &literal, result);
}
