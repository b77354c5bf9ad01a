#pragma once

/// Fetches the cache line at an address, which is read soon: Swift has no word for it.
static inline void prefetch_line(const void *address) { __builtin_prefetch(address); }
