#include <sqlite3.h>

// sqlite3_config is variadic, which Swift cannot call. This call turns off memory statistics, and with them a lock
// around every allocation. Call it before the first connection.
static inline int sqlite3_config_no_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
