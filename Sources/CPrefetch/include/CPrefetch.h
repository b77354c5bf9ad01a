#pragma once

/// Fetches the cache line at an address that will be read soon: Swift has no equivalent.
static inline void prefetch_line(const void *address) { __builtin_prefetch(address); }
