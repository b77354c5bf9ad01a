// Rejects or counts invalid input that libosmium's readers accept. Used by `Lenient.hpp`.
#ifndef STRICT_HPP
#define STRICT_HPP

#include "CUnpack.h"

#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/compression.hpp>
#include <osmium/io/detail/pbf.hpp>
#include <osmium/io/error.hpp>

#include <expat.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>

namespace osmium {

namespace io {

// Text compressed by gzip or bzip2, read to the file's last byte.
class StrictDecompressor final : public Decompressor {
 public:
  StrictDecompressor(int file, CUnpackFormat format) : reader_(cunpack_open(file, format)) {
    if (!reader_) {
      throw std::bad_alloc{};
    }
  }

  ~StrictDecompressor() noexcept override { close(); }

  std::string read() override {
    std::string text(input_buffer_size, '\0');
    const auto count = cunpack_read(reader_, &text[0], text.size());
    switch (count) {
      case CUNPACK_UNREADABLE:
        throw std::system_error{errno, std::system_category()};
      case CUNPACK_CORRUPT:
        throw io_error{"data error in the compressed data"};
      case CUNPACK_CUT:
        throw io_error{"unexpected end of the compressed data"};
      case CUNPACK_TRAILING:
        throw io_error{"other bytes follow the end of the compressed data; download or compress it again"};
    }
    text.resize(count);
    return text;
  }

  void close() override {
    if (reader_) {
      cunpack_close(reader_);
      reader_ = nullptr;
    }
  }

 private:
  CUnpackReader *reader_;
};

// Every use of the limit has the size in scope. libosmium treats a block of length 0 as the end of the file, wherever
// it occurs.
inline int longest_blob_header(std::uint32_t size) {
  if (size == 0) {
    throw pbf_error{"unexpected end of its blocks: one has no length"};
  }
  return detail::max_blob_header_size;
}

// Registers only the function that opens a file: nothing is written, and text in memory is not compressed.
inline bool register_strict_decompressor(file_compression compression, CUnpackFormat format) {
  return CompressionFactory::instance().register_compression(
      compression, nullptr, [format](int file) { return new StrictDecompressor{file, format}; }, nullptr);
}
const bool has_strict_gzip = register_strict_decompressor(file_compression::gzip, CUNPACK_GZIP);
const bool has_strict_bzip2 = register_strict_decompressor(file_compression::bzip2, CUNPACK_BZIP2);

}  // namespace io

namespace builder {

// Strings of a PBF file have a length, while those of a buffer end with a NUL: one with an embedded NUL would become
// two, and shift all following tags. It is dropped, and its object is marked as removed, since none of its tags can be
// trusted.
template <typename Base>
class WithoutNUL : public Base {
 public:
  using Base::Base;

 protected:
  bool is_sound(const char *string, std::size_t length) {
    if (length == 0 || !std::memchr(string, '\0', length)) {
      return true;
    }
    // The uncommitted part begins with the object.
    memory::Buffer &buffer = this->buffer();
    buffer.get<memory::Item>(buffer.committed()).set_removed(true);
    return false;
  }
};

class StrictTagListBuilder : public WithoutNUL<TagListBuilder> {
 public:
  using WithoutNUL::WithoutNUL;

  void add_tag(const char *key, std::size_t key_length, const char *value, std::size_t value_length) {
    if (is_sound(key, key_length) && is_sound(value, value_length)) {
      TagListBuilder::add_tag(key, key_length, value, value_length);
    }
  }
};

class StrictRelationMemberListBuilder : public WithoutNUL<RelationMemberListBuilder> {
 public:
  using WithoutNUL::WithoutNUL;

  void add_member(item_type type, object_id_type ref, const char *role, std::size_t length) {
    RelationMemberListBuilder::add_member(type, ref, role, is_sound(role, length) ? length : 0);
  }
};

}  // namespace builder

// libosmium ignores two things: the remark with which Overpass ends an unfinished but well-formed file, and
// action="delete", with which JOSM saves deleted objects. This class sits between expat and libosmium and looks for
// both. Each file is parsed by one thread.
class Remark {
 public:
  static void set_handlers(XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end) {
    current() = Remark{};
    current().start_ = start;
    current().end_ = end;
    XML_SetElementHandler(parser, start_element, end_element);
  }

  // libosmium's own handler is for changesets, which are not used here.
  static void set_handler(XML_Parser parser, XML_CharacterDataHandler) {
    XML_SetCharacterDataHandler(parser, characters);
  }

  static XML_Status parse(XML_Parser parser, const char *text, int size, int is_last) {
    const XML_Status status = XML_Parse(parser, text, size, is_last);
    if (!current().is_open_ && current().text_.find("runtime error") != std::string::npos) {
      throw io_error{"Overpass gave up before its end: \"" + current().plain() +
                     "\"; ask it for a smaller area, or allow it more time and memory"};
    }
    if (!current().deleted_.empty()) {
      throw io_error{current().deleted_ +
                     " is deleted (action=\"delete\"); expected a file without edits, e.g. after an upload"};
    }
    return status;
  }

 private:
  static Remark &current() {
    thread_local Remark remark;
    return remark;
  }

  static void XMLCALL start_element(void *data, const XML_Char *name, const XML_Char **attributes) {
    if (std::strcmp(name, "remark") == 0) {
      current().is_open_ = true;
    }
    const XML_Char *id = nullptr;
    bool is_deleted = false;
    for (const XML_Char **next = attributes; *next != nullptr; next += 2) {
      if (std::strcmp(next[0], "id") == 0) {
        id = next[1];
      }
      is_deleted = is_deleted || (std::strcmp(next[0], "action") == 0 && std::strcmp(next[1], "delete") == 0);
    }
    if (is_deleted && id != nullptr) {
      current().deleted_ = std::string{name} + " " + id;
    }
    current().start_(data, name, attributes);
  }

  static void XMLCALL end_element(void *data, const XML_Char *name) {
    current().is_open_ = false;
    current().end_(data, name);
  }

  static void XMLCALL characters(void *, const XML_Char *text, int size) {
    if (current().is_open_ && current().text_.size() < longest) {
      current().text_.append(text, size);
    }
  }

  // The text of the remark, on one line.
  std::string plain() const {
    std::string plain;
    for (const char character : text_.substr(0, longest)) {
      if (!std::strchr(" \t\r\n", character)) {
        plain += character;
      } else if (!plain.empty() && plain.back() != ' ') {
        plain += ' ';
      }
    }
    plain.erase(plain.find_last_not_of(' ') + 1);
    return plain;
  }

  static constexpr std::size_t longest = 300;

  XML_StartElementHandler start_ = nullptr;
  XML_EndElementHandler end_ = nullptr;
  bool is_open_ = false;
  std::string text_;
  // The type and id of a deleted object; empty if there is none.
  std::string deleted_;
};

}  // namespace osmium

#endif
