#include <hiredis/hiredis.h>

// The number of elements of an array, as the callbacks of the reader state it.
#if HIREDIS_MAJOR >= 1
typedef size_t tarmac_redis_count;
#else
typedef int tarmac_redis_count;
#endif
