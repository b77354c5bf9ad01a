// Reads files compressed by gzip or bzip2 to their last byte. zlib's gzread takes what follows the last member for nothing,
// and so do readers around libbz2: text may be missing from there on, and nobody is told.
#ifndef CUNPACK_H
#define CUNPACK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUnpackFormat { CUNPACK_GZIP, CUNPACK_BZIP2 } CUnpackFormat;

/// What is wrong with a file, as `cunpack_read` returns it.
enum {
  /// The file cannot be read: `errno` says why.
  CUNPACK_UNREADABLE = -1,
  CUNPACK_CORRUPT = -2,
  /// It ends within a member.
  CUNPACK_CUT = -3,
  /// Something follows the last member that is none: neither a further one nor zeros, which tapes and disks pad with.
  CUNPACK_TRAILING = -4,
};

typedef struct CUnpackReader CUnpackReader;

/// Takes an open file over, whatever it returns: NULL where memory is short.
CUnpackReader *cunpack_open(int file, CUnpackFormat format);

/// Fills `bytes` as far as the file goes, member after member. Returns how much that is, 0 at the end, or what is wrong; what
/// comes before the fault is returned first.
ptrdiff_t cunpack_read(CUnpackReader *reader, void *bytes, size_t size);

/// Whether what was read is a file that gzip never saw, handed on as it is.
int cunpack_is_plain(const CUnpackReader *reader);

void cunpack_close(CUnpackReader *reader);

#ifdef __cplusplus
}
#endif

#endif
