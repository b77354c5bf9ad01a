// Reads files compressed by gzip or bzip2 to their last byte. zlib's gzread silently ignores other data after the last
// member, and so do readers based on libbz2, so text may be missing without an error.
#ifndef CUNPACK_H
#define CUNPACK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUnpackFormat { CUNPACK_GZIP, CUNPACK_BZIP2 } CUnpackFormat;

/// Faults of a file, as returned by `cunpack_read`.
enum {
  /// The file cannot be read: see `errno`.
  CUNPACK_UNREADABLE = -1,
  CUNPACK_CORRUPT = -2,
  /// It ends inside a member.
  CUNPACK_CUT = -3,
  /// The last member is followed by data that is neither another member nor zeros, which tapes and disks use as
  /// padding.
  CUNPACK_TRAILING = -4,
};

typedef struct CUnpackReader CUnpackReader;

/// Takes ownership of an open file, even on failure. Returns NULL if there is not enough memory.
CUnpackReader *cunpack_open(int file, CUnpackFormat format);

/// Fills `bytes` until the end of the file, member by member. Returns the number of bytes, 0 at the end, or a fault;
/// data before the fault is returned first.
ptrdiff_t cunpack_read(CUnpackReader *reader, void *bytes, size_t size);

/// Whether the input is not a gzip file and is passed through unchanged.
int cunpack_is_plain(const CUnpackReader *reader);

void cunpack_close(CUnpackReader *reader);

#ifdef __cplusplus
}
#endif

#endif
