// Counts the allocations of a program, and writes their number to its standard error at the end. See scripts/support/allocations.
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static atomic_long allocations;

static void *counted(void *block) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void *realloc(void *block, size_t size) { return counted(__libc_realloc(block, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **place, size_t alignment, size_t size) {
    *place = counted(__libc_memalign(alignment, size));
    return *place == NULL ? ENOMEM : 0;
}

__attribute__((destructor)) static void tell(void) { fprintf(stderr, "allocations %ld\n", atomic_load(&allocations)); }
