#include "COsmium.h"

#include <osmium/io/any_input.hpp>
#include <osmium/io/opl_input.hpp>
#include <osmium/osm/node.hpp>
#include <osmium/osm/relation.hpp>
#include <osmium/osm/way.hpp>
#include <osmium/visitor.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

namespace {

osmium::io::File open(const COsmiumSource &source) {
  if (source.path) {
    return osmium::io::File{source.path};
  }
  return osmium::io::File{source.bytes, source.size, source.format};
}

COsmiumTags tags_of(const osmium::OSMObject &object) {
  const osmium::TagList &tags = object.tags();
  if (tags.empty()) {
    return COsmiumTags{nullptr, 0};
  }
  return COsmiumTags{tags.begin()->key(), tags.byte_size() - sizeof(osmium::TagList)};
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
                      COsmiumWayHandler way_handler, COsmiumRelationHandler relation_handler, char *message,
                      size_t message_size) {
  return guarded(message, message_size, [&]() {
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
        const COsmiumWay found{way.id(), nodes.data(), nodes.size(), tags_of(way)};
        way_handler(context, &found);
      }
      for (const auto &relation : buffer.select<osmium::Relation>()) {
        const char *type = relation.tags().get_value_by_key("type");
        if (!type || (std::strncmp(type, "restriction", 11) != 0 && std::strcmp(type, "boundary") != 0 &&
                      std::strcmp(type, "public_transport") != 0)) {
          continue;
        }
        members.clear();
        for (const auto &member : relation.members()) {
          members.push_back(COsmiumMember{osmium::item_type_to_char(member.type()), member.ref(), member.role()});
        }
        const COsmiumRelation found{relation.id(), members.data(), members.size(), tags_of(relation)};
        relation_handler(context, &found);
      }
    });
  });
}

int cosmium_read_nodes(const COsmiumSource *source, void *context, COsmiumNodeHandler handler, char *message,
                       size_t message_size) {
  return guarded(message, message_size, [&]() {
    each_buffer(*source, osmium::osm_entity_bits::node, [&](const osmium::memory::Buffer &buffer) {
      for (const auto &node : buffer.select<osmium::Node>()) {
        if (!node.location().valid()) {
          continue;
        }
        const COsmiumNode found{node.id(), node.location().x(), node.location().y(), tags_of(node)};
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
