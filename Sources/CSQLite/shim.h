#include <sqlite3.h>

// sqlite3_config takes any number of arguments, which Swift cannot call: this one turns off the counting of memory,
// and with it a lock around every allocation. Call before the first connection.
static inline int sqlite3_config_no_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
