#include "COsmium.h"
#include "Lenient.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <malloc.h>
#include <string>
#include <vector>

namespace {

osmium::io::File open(const COsmiumSource &source) {
  if (source.path) {
    return osmium::io::File{source.path};
  }
  return osmium::io::File{source.bytes, source.size, source.format};
}

// The tags of one object after the other, without those that are longer than OpenStreetMap allows.
class TagReader {
 public:
  explicit TagReader(COsmiumOmissions *omissions) : omissions_(omissions) {}

  COsmiumTags read(const osmium::OSMObject &object) {
    const osmium::TagList &tags = object.tags();
    if (tags.empty()) {
      return COsmiumTags{nullptr, 0};
    }
    const size_t size = tags.byte_size() - sizeof(osmium::TagList);
    // Only what is longer than a string may be can hold one that is.
    return size > longest ? without_overlong(tags) : COsmiumTags{tags.begin()->key(), size};
  }

 private:
  // 255 characters of at most four bytes.
  static constexpr size_t longest = 255 * 4;

  COsmiumTags without_overlong(const osmium::TagList &tags) {
    kept_.clear();
    for (const osmium::Tag &tag : tags) {
      const size_t key = std::strlen(tag.key());
      const size_t value = std::strlen(tag.value());
      if (key > longest || value > longest) {
        ++omissions_->overlong_tags;
      } else {
        kept_.insert(kept_.end(), tag.key(), tag.key() + key + 1);
        kept_.insert(kept_.end(), tag.value(), tag.value() + value + 1);
      }
    }
    return COsmiumTags{kept_.data(), kept_.size()};
  }

  COsmiumOmissions *omissions_;
  std::vector<char> kept_;
};

bool is_ferry_route(const char *type, const osmium::TagList &tags) {
  const char *route = tags.get_value_by_key("route", "");
  return std::strcmp(type, "route") == 0 &&
         (std::strcmp(route, "ferry") == 0 || std::strcmp(route, "shuttle_train") == 0);
}

// No exception may cross into Swift: it becomes a sentence.
template <typename Work>
int guarded(char *message, size_t message_size, Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception &error) {
    std::snprintf(message, message_size, "%s", error.what());
  } catch (...) {
    std::snprintf(message, message_size, "unknown error");
  }
  return 1;
}

template <typename Work>
void each_buffer(const COsmiumSource &source, osmium::osm_entity_bits::type entities, Work work,
                 osmium::io::read_meta meta = osmium::io::read_meta::no) {
  osmium::io::Reader reader{open(source), entities, meta};
  while (osmium::memory::Buffer buffer = reader.read()) {
    work(buffer);
  }
  reader.close();
}

}  // namespace

int cosmium_read_ways(const COsmiumSource *source, const char *const *keys, size_t key_count, void *context,
                      COsmiumWayHandler way_handler, COsmiumRelationHandler relation_handler,
                      COsmiumOmissions *omissions, char *message, size_t message_size) {
  return guarded(message, message_size, [&]() {
    TagReader tags{omissions};
    std::vector<int64_t> nodes;
    std::vector<COsmiumMember> members;
    const auto entities = osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation;
    each_buffer(*source, entities, [&](const osmium::memory::Buffer &buffer) {
      for (const auto &way : buffer.select<osmium::Way>()) {
        bool wanted = false;
        for (size_t i = 0; i < key_count && !wanted; ++i) {
          wanted = way.tags().has_key(keys[i]);
        }
        if (!wanted) {
          continue;
        }
        nodes.clear();
        for (const auto &node : way.nodes()) {
          nodes.push_back(node.ref());
        }
        const COsmiumWay found{way.id(), nodes.data(), nodes.size(), tags.read(way)};
        way_handler(context, &found);
      }
      for (const auto &relation : buffer.select<osmium::Relation>()) {
        const char *type = relation.tags().get_value_by_key("type");
        if (!type || (std::strncmp(type, "restriction", 11) != 0 && std::strcmp(type, "boundary") != 0 &&
                      std::strcmp(type, "public_transport") != 0 && std::strcmp(type, "multipolygon") != 0 &&
                      !is_ferry_route(type, relation.tags()))) {
          continue;
        }
        members.clear();
        for (const auto &member : relation.members()) {
          members.push_back(COsmiumMember{osmium::item_type_to_char(member.type()), member.ref(), member.role()});
        }
        const COsmiumRelation found{relation.id(), members.data(), members.size(), tags.read(relation)};
        relation_handler(context, &found);
      }
    });
  });
}

int cosmium_read_ways_by_id(const COsmiumSource *source, const int64_t *ids, size_t id_count, void *context,
                            COsmiumWayHandler handler, char *message, size_t message_size) {
  return guarded(message, message_size, [&]() {
    std::vector<int64_t> nodes;
    each_buffer(*source, osmium::osm_entity_bits::way, [&](const osmium::memory::Buffer &buffer) {
      for (const auto &way : buffer.select<osmium::Way>()) {
        if (!std::binary_search(ids, ids + id_count, way.id())) {
          continue;
        }
        nodes.clear();
        for (const auto &node : way.nodes()) {
          nodes.push_back(node.ref());
        }
        const COsmiumWay found{way.id(), nodes.data(), nodes.size(), COsmiumTags{nullptr, 0}};
        handler(context, &found);
      }
    });
  });
}

int cosmium_read_nodes(const COsmiumSource *source, void *context, COsmiumNodeHandler handler,
                       COsmiumOmissions *omissions, char *message, size_t message_size) {
  return guarded(message, message_size, [&]() {
    TagReader tags{omissions};
    each_buffer(*source, osmium::osm_entity_bits::node, [&](const osmium::memory::Buffer &buffer) {
      for (const auto &node : buffer.select<osmium::Node>()) {
        if (!node.location().valid()) {
          omissions->nodes_without_position += node.visible();
          continue;
        }
        const COsmiumNode found{node.id(), node.location().x(), node.location().y(), tags.read(node)};
        handler(context, &found);
      }
    });
  });
}

int cosmium_map_date(const COsmiumSource *source, char *date, size_t date_size, char *message, size_t message_size) {
  return guarded(message, message_size, [&]() {
    osmium::io::Reader reader{open(*source), osmium::osm_entity_bits::nothing};
    const osmium::io::Header header = reader.header();
    reader.close();
    for (const char *key : {"osmosis_replication_timestamp", "timestamp"}) {
      const std::string found = header.get(key);
      if (!found.empty()) {
        std::snprintf(date, date_size, "%s", found.c_str());
        return;
      }
    }
    osmium::Timestamp newest;
    each_buffer(
        *source, osmium::osm_entity_bits::way,
        [&](const osmium::memory::Buffer &buffer) {
          for (const auto &way : buffer.select<osmium::Way>()) {
            newest = std::max(newest, way.timestamp());
          }
        },
        osmium::io::read_meta::yes);
    std::snprintf(date, date_size, "%s", newest.valid() ? newest.to_iso().c_str() : "");
  });
}

void cosmium_release_memory(void) {
#ifdef __GLIBC__
  // Else what lies between the few parts that stay remains resident: the heap is in shreds after an import.
  malloc_trim(0);
#endif
}
