#include "CUnpack.h"

#include <bzlib.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { INPUT_SIZE = 1 << 17, MOST_AT_ONCE = 1 << 30 };

typedef enum State { AT_START, IS_PLAIN, IN_MEMBER, AFTER_MEMBER, IN_PADDING } State;

struct CUnpackReader {
  int file;
  CUnpackFormat format;
  State state;
  /// The fault to return once all data before it has been returned.
  ptrdiff_t fault;
  /// The `errno` of the fault.
  int reason;
  z_stream gzip;
  bz_stream bzip2;
  /// The unused part of the input read so far.
  unsigned char *next;
  size_t left;
  unsigned char input[INPUT_SIZE];
};

CUnpackReader *cunpack_open(int file, CUnpackFormat format) {
  CUnpackReader *reader = malloc(sizeof *reader);
  if (!reader) {
    close(file);
    return NULL;
  }
  memset(reader, 0, offsetof(CUnpackReader, input));
  reader->file = file;
  reader->format = format;
  reader->next = reader->input;
  const int code = format == CUNPACK_GZIP ? inflateInit2(&reader->gzip, MAX_WBITS + 16)
                                          : BZ2_bzDecompressInit(&reader->bzip2, 0, 0);
  if (code != Z_OK) {
    close(file);
    free(reader);
    return NULL;
  }
  return reader;
}

void cunpack_close(CUnpackReader *reader) {
  inflateEnd(&reader->gzip);
  BZ2_bzDecompressEnd(&reader->bzip2);
  close(reader->file);
  free(reader);
}

int cunpack_is_plain(const CUnpackReader *reader) { return reader->state == IS_PLAIN; }

/// Reads more input after the unused part, and records a fault. Returns whether there was any.
static int fill(CUnpackReader *reader) {
  memmove(reader->input, reader->next, reader->left);
  reader->next = reader->input;
  ssize_t count;
  do {
    count = read(reader->file, reader->input + reader->left, INPUT_SIZE - reader->left);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    reader->reason = errno;
    reader->fault = CUNPACK_UNREADABLE;
  } else {
    reader->left += (size_t)count;
  }
  return count > 0;
}

static int restart(CUnpackReader *reader) {
  if (reader->format == CUNPACK_GZIP) {
    return inflateReset(&reader->gzip) == Z_OK;
  }
  BZ2_bzDecompressEnd(&reader->bzip2);
  memset(&reader->bzip2, 0, sizeof reader->bzip2);
  return BZ2_bzDecompressInit(&reader->bzip2, 0, 0) == BZ_OK;
}

/// Decodes as much input as is available and fits. Returns the number of bytes written.
static size_t decode(CUnpackReader *reader, unsigned char *bytes, size_t size) {
  int is_end, is_good;
  size_t unused, space;
  if (reader->format == CUNPACK_GZIP) {
    z_stream *stream = &reader->gzip;
    stream->next_in = reader->next;
    stream->avail_in = (unsigned)reader->left;
    stream->next_out = bytes;
    stream->avail_out = (unsigned)size;
    const int code = inflate(stream, Z_NO_FLUSH);
    (is_end = code == Z_STREAM_END), (is_good = code == Z_OK || code == Z_BUF_ERROR);
    (unused = stream->avail_in), (space = stream->avail_out);
  } else {
    bz_stream *stream = &reader->bzip2;
    stream->next_in = (char *)reader->next;
    stream->avail_in = (unsigned)reader->left;
    stream->next_out = (char *)bytes;
    stream->avail_out = (unsigned)size;
    const int code = BZ2_bzDecompress(stream);
    (is_end = code == BZ_STREAM_END), (is_good = code == BZ_OK);
    (unused = stream->avail_in), (space = stream->avail_out);
  }
  reader->next += reader->left - unused;
  reader->left = unused;
  if (is_end) {
    reader->state = AFTER_MEMBER;
  } else if (!is_good) {
    reader->fault = CUNPACK_CORRUPT;
  } else if (space > 0 && unused == 0 && !fill(reader) && reader->fault == 0) {
    reader->fault = CUNPACK_CUT;
  }
  return size - space;
}

/// Moves on to the next member, or to plain data. Returns whether there is one.
static int advance(CUnpackReader *reader) {
  const unsigned char *magic = (const unsigned char *)(reader->format == CUNPACK_GZIP ? "\x1F\x8B" : "BZ");
  if (reader->state == IN_MEMBER) {
    return 1;
  }
  if (reader->state == IS_PLAIN) {
    return reader->left > 0 || fill(reader);
  }
  while (reader->state == AFTER_MEMBER || reader->state == IN_PADDING) {
    if (reader->left == 0 && !fill(reader)) {
      return 0;
    }
    if (*reader->next != 0) {
      break;
    }
    reader->state = IN_PADDING;
    ++reader->next;
    --reader->left;
  }
  while (reader->left < 2 && fill(reader)) {
  }
  if (reader->fault != 0 || (reader->state == AT_START && reader->left == 0)) {
    return 0;
  }
  const int is_member = reader->left >= 2 && memcmp(reader->next, magic, 2) == 0 && reader->state != IN_PADDING;
  if (is_member) {
    if (reader->state == AFTER_MEMBER && !restart(reader)) {
      reader->reason = ENOMEM;
      reader->fault = CUNPACK_UNREADABLE;
      return 0;
    }
    reader->state = IN_MEMBER;
  } else if (reader->state == AT_START && reader->format == CUNPACK_GZIP) {
    reader->state = IS_PLAIN;
  } else {
    reader->fault = reader->state == AT_START ? CUNPACK_CORRUPT : CUNPACK_TRAILING;
  }
  return reader->fault == 0;
}

ptrdiff_t cunpack_read(CUnpackReader *reader, void *bytes, size_t size) {
  size_t done = 0;
  size = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
  while (done < size && reader->fault == 0 && advance(reader)) {
    unsigned char *target = (unsigned char *)bytes + done;
    if (reader->state == IN_MEMBER) {
      done += decode(reader, target, size - done);
      continue;
    }
    const size_t count = reader->left < size - done ? reader->left : size - done;
    memcpy(target, reader->next, count);
    reader->next += count;
    reader->left -= count;
    done += count;
  }
  if (done > 0 || reader->fault == 0) {
    return (ptrdiff_t)done;
  }
  errno = reader->reason;
  return reader->fault;
}
