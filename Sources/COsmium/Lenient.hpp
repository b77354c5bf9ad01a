// Includes libosmium's readers and makes them lenient. By default, they reject a whole file because of one string that
// is longer than OpenStreetMap allows, or one coordinate that is not a number. Here, only the affected tag or node
// is dropped. There are no settings for this, so names are replaced while the headers are read; no other file except
// `Strict.hpp`, whose checks are added here as well, may include a header of libosmium.
#ifndef LENIENT_HPP
#define LENIENT_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unistd.h>
#include <utility>

#include <libdeflate.h>
#include <zlib.h>

// Blocks of a PBF file are inflated by libdeflate, which is faster than zlib, in place of zlib's function of that name.
inline int inflate_block(unsigned char *bytes, unsigned long *size, const unsigned char *deflated,
                         unsigned long deflated_size) {
  struct Release {
    void operator()(libdeflate_decompressor *decompressor) const { libdeflate_free_decompressor(decompressor); }
  };
  thread_local const std::unique_ptr<libdeflate_decompressor, Release> decompressor{libdeflate_alloc_decompressor()};
  if (!decompressor) {
    return Z_MEM_ERROR;
  }
  std::size_t inflated = 0;
  const auto result =
      libdeflate_zlib_decompress(decompressor.get(), deflated, deflated_size, bytes, *size, &inflated);
  *size = inflated;
  return result == LIBDEFLATE_SUCCESS               ? Z_OK
         : result == LIBDEFLATE_INSUFFICIENT_SPACE ? Z_BUF_ERROR
                                                    : Z_DATA_ERROR;
}
#define uncompress inflate_block
#include <osmium/io/detail/zlib.hpp>
#undef uncompress

// String lengths in 32 bits instead of 16, so that none is truncated, and a limit larger than any block of a PBF file.
#define max_osm_string_length strict_max_osm_string_length
#define string_size_type strict_string_size_type
#include <osmium/osm/types.hpp>
#undef max_osm_string_length
#undef string_size_type

namespace osmium {

using string_size_type = std::uint32_t;
constexpr std::size_t max_osm_string_length = std::size_t{1} << 26;

}  // namespace osmium

// Changesets, which are not used here, keep the 16-bit lengths: their layout depends on them.
#include <osmium/osm/types_from_string.hpp>
#define string_size_type strict_string_size_type
#include <osmium/osm/changeset.hpp>
#undef string_size_type

// All headers included by the text readers: the following replacements do not affect them.
#include <osmium/builder/builder.hpp>
#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/detail/string_util.hpp>
#include <osmium/io/o5m_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/osm.hpp>

#include "Strict.hpp"

namespace osmium {

// Closes a file at the end of its scope unless it is -1. libosmium's parser leaves the file of a corrupt map open.
struct FileCloser {
  const int &file;
  ~FileCloser() {
    if (file >= 0) {
      ::close(file);
    }
  }
};

}  // namespace osmium

#define TagListBuilder StrictTagListBuilder
#define RelationMemberListBuilder StrictRelationMemberListBuilder
#define max_blob_header_size longest_blob_header(size)
// Wraps the first and the last call in the parser's run().
#define set_thread_name(name) \
  set_thread_name(name);      \
  const osmium::FileCloser closer { m_fd }
#define reliable_close(file) reliable_close(std::exchange(file, -1))
#include <osmium/io/pbf_input.hpp>
#undef reliable_close
#undef set_thread_name
#undef max_blob_header_size
#undef TagListBuilder
#undef RelationMemberListBuilder

namespace osmium {

// A location that remains undefined if the text is not a coordinate.
class LenientLocation : public Location {
 public:
  void set_lon(const char *text) noexcept {
    try {
      Location::set_lon(text);
    } catch (const invalid_location &) {
    }
  }
  void set_lat(const char *text) noexcept {
    try {
      Location::set_lat(text);
    } catch (const invalid_location &) {
    }
  }
  void set_lon_partial(const char **text) noexcept {
    try {
      Location::set_lon_partial(text);
    } catch (const invalid_location &) {
      skip(text);
    }
  }
  void set_lat_partial(const char **text) noexcept {
    try {
      Location::set_lat_partial(text);
    } catch (const invalid_location &) {
      skip(text);
    }
  }

 private:
  // Skips to the end of the field, or of the node of a way.
  static void skip(const char **text) noexcept {
    while (**text != '\0' && **text != ' ' && **text != '\t' && **text != ',') {
      ++*text;
    }
  }
};

// A way's node with a location of its own, which is not used here but is also read leniently.
class LenientNodeRef : public NodeRef {
 public:
  LenientLocation &location() noexcept { return location_; }

 private:
  LenientLocation location_;
};

}  // namespace osmium

#define Location LenientLocation
#define NodeRef LenientNodeRef
#include <osmium/io/opl_input.hpp>
#define XML_SetElementHandler Remark::set_handlers
#define XML_SetCharacterDataHandler Remark::set_handler
#define XML_Parse Remark::parse
#include <osmium/io/xml_input.hpp>
#undef XML_SetElementHandler
#undef XML_SetCharacterDataHandler
#undef XML_Parse
#undef Location
#undef NodeRef

#endif
