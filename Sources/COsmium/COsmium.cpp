#include "COsmium.h"
#include "Lenient.hpp"

#include <osmium/area/assembler.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
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

// Reads the tags of one object at a time, without those that are longer than OpenStreetMap allows.
class TagReader {
 public:
  explicit TagReader(COsmiumOmissions *omissions) : omissions_(omissions) {}

  // Whether the object has a string with an embedded NUL; must be checked before its tags are read.
  bool drops(const osmium::OSMObject &object) {
    omissions_->objects_with_nul += object.removed();
    return object.removed();
  }

  COsmiumTags read(const osmium::OSMObject &object) {
    const osmium::TagList &tags = object.tags();
    if (drops(object) || tags.empty()) {
      return COsmiumTags{nullptr, 0};
    }
    const size_t size = tags.byte_size() - sizeof(osmium::TagList);
    // Only tags longer than a string's maximum in total can contain an overlong one.
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

// No exception may cross into Swift: it is converted to a message.
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

// Rejects deleted objects, and different versions of an object: in a history file, every version would become a street.
void check_versions(const osmium::memory::Buffer &buffer) {
  const osmium::OSMObject *last = nullptr;
  for (const auto &object : buffer.select<osmium::OSMObject>()) {
    const bool is_again = last && object.type() == last->type() && object.id() == last->id();
    const bool is_other = is_again && (object.byte_size() != last->byte_size() ||
                                       std::memcmp(&object, last, object.byte_size()) != 0);
    if (is_other || !object.visible()) {
      throw std::runtime_error{std::string{osmium::item_type_to_name(object.type())} + " " +
                               std::to_string(object.id()) + (is_other ? " has several versions" : " is deleted") +
                               "; expected an extract for one date, e.g. from osmium time-filter"};
    }
    last = &object;
  }
}

template <typename Work>
void each_buffer(const COsmiumSource &source, osmium::osm_entity_bits::type entities, Work work,
                 osmium::io::read_meta meta = osmium::io::read_meta::no) {
  const osmium::io::File file = open(source);
  osmium::io::Reader reader{file, entities, meta};
  while (osmium::memory::Buffer buffer = reader.read()) {
    check_versions(buffer);
    work(buffer);
  }
  // libosmium treats one to three bytes after the last block as the end.
  if (file.format() == osmium::io::file_format::pbf && reader.offset() < reader.file_size()) {
    throw osmium::pbf_error{"unexpected end of its blocks at byte " + std::to_string(reader.offset()) + " of " +
                            std::to_string(reader.file_size())};
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
        if (tags.drops(way)) {
          continue;
        }
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
        ++omissions->relations;
        if (tags.drops(relation)) {
          continue;
        }
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

namespace {

// The nodes of shapes, and their locations.
class Locations {
 public:
  void add(osmium::object_id_type id) { ids_.push_back(id); }

  void sort() {
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    ids_.shrink_to_fit();
    locations_.resize(ids_.size());
  }

  void set(const osmium::Node &node) {
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), node.id());
    if (found != ids_.end() && *found == node.id()) {
      locations_[found - ids_.begin()] = node.location();
    }
  }

  osmium::Location of(osmium::object_id_type id) const {
    return locations_[std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin()];
  }

 private:
  std::vector<osmium::object_id_type> ids_;
  std::vector<osmium::Location> locations_;
};

// A shape under construction.
class ShapeReader {
 public:
  ShapeReader(void *context, COsmiumShapeHandler handler) : context_(context), handler_(handler), tags_(&omissions_) {}

  void read(const osmium::Node &node) {
    coordinates_ = {node.location().x(), node.location().y()};
    ends_ = {1};
    hand('p', node);
  }

  // A way with missing positions is read as several lines.
  void read(const osmium::Way &way) {
    clear();
    for (const auto &node : way.nodes()) {
      if (node.location().valid()) {
        add(node);
      } else {
        end(2);
      }
    }
    end(2);
    hand('l', way);
  }

  void read(const osmium::Area &area) {
    clear();
    for (const auto &outer : area.outer_rings()) {
      add_ring(outer);
      for (const auto &inner : area.inner_rings(outer)) {
        add_ring(inner);
      }
    }
    hand('a', area);
  }

 private:
  void clear() {
    coordinates_.clear();
    ends_.clear();
  }

  void add(const osmium::NodeRef &node) {
    coordinates_.push_back(node.location().x());
    coordinates_.push_back(node.location().y());
  }

  void end(size_t least) {
    const size_t start = ends_.empty() ? 0 : ends_.back();
    const size_t count = coordinates_.size() / 2;
    if (count - start >= least) {
      ends_.push_back(count);
    } else {
      coordinates_.resize(start * 2);
    }
  }

  void add_ring(const osmium::NodeRefList &ring) {
    for (const auto &node : ring) {
      add(node);
    }
    end(4);
  }

  void hand(char type, const osmium::OSMObject &object) {
    if (ends_.empty()) {
      return;
    }
    const COsmiumShape shape{type, tags_.read(object), coordinates_.data(), ends_.data(), ends_.size()};
    handler_(context_, &shape);
  }

  void *context_;
  COsmiumShapeHandler handler_;
  COsmiumOmissions omissions_{};
  TagReader tags_;
  std::vector<int32_t> coordinates_;
  std::vector<size_t> ends_;
};

}  // namespace

int cosmium_read_shapes(const COsmiumSource *source, void *context, COsmiumChooser chooser,
                        COsmiumShapeHandler handler, char *message, size_t message_size) {
  return guarded(message, message_size, [&]() {
    COsmiumOmissions omissions{};
    TagReader reader{&omissions};
    ShapeReader shapes{context, handler};
    const auto wanted = [&](char type, const osmium::OSMObject &object) {
      const COsmiumTags tags = reader.read(object);
      return tags.size == 0 ? 0 : chooser(context, type, &tags);
    };
    constexpr size_t size = 1024 * 1024;
    const auto grow = osmium::memory::Buffer::auto_grow::yes;

    osmium::memory::Buffer relations{size, grow};
    std::vector<osmium::object_id_type> members;
    each_buffer(*source, osmium::osm_entity_bits::relation, [&](const osmium::memory::Buffer &buffer) {
      for (const auto &relation : buffer.select<osmium::Relation>()) {
        const char *type = relation.tags().get_value_by_key("type", "");
        if (relation.removed() || (std::strcmp(type, "multipolygon") != 0 && std::strcmp(type, "boundary") != 0) ||
            wanted('r', relation) != 2) {
          continue;
        }
        relations.add_item(relation);
        relations.commit();
        for (const auto &member : relation.members()) {
          if (member.type() == osmium::item_type::way) {
            members.push_back(member.ref());
          }
        }
      }
    });
    std::sort(members.begin(), members.end());

    // A way that is needed, and the shape requested for it.
    struct Kept {
      osmium::object_id_type id;
      size_t offset;
      int want;
    };
    std::vector<Kept> kept;
    osmium::memory::Buffer ways{size, grow};
    Locations locations;
    each_buffer(*source, osmium::osm_entity_bits::way, [&](const osmium::memory::Buffer &buffer) {
      for (const auto &way : buffer.select<osmium::Way>()) {
        const int want = wanted('w', way);
        if ((want == 0 && !std::binary_search(members.begin(), members.end(), way.id())) || way.nodes().size() < 2) {
          continue;
        }
        ways.add_item(way);
        kept.push_back(Kept{way.id(), ways.commit(), want});
        for (const auto &node : way.nodes()) {
          locations.add(node.ref());
        }
      }
    });

    locations.sort();
    each_buffer(*source, osmium::osm_entity_bits::node, [&](const osmium::memory::Buffer &buffer) {
      for (const auto &node : buffer.select<osmium::Node>()) {
        if (!node.location().valid()) {
          continue;
        }
        locations.set(node);
        if (wanted('n', node) != 0) {
          shapes.read(node);
        }
      }
    });
    for (auto &way : ways.select<osmium::Way>()) {
      for (auto &node : way.nodes()) {
        node.set_location(locations.of(node.ref()));
      }
    }

    std::vector<Kept> by_id = kept;
    std::sort(by_id.begin(), by_id.end(),
              [](const Kept &a, const Kept &b) { return a.id < b.id || (a.id == b.id && a.offset < b.offset); });
    osmium::area::AssemblerConfig config;
    config.create_empty_areas = false;
    config.ignore_invalid_locations = true;
    osmium::memory::Buffer areas{size, grow};
    const auto hand_areas = [&]() {
      for (const auto &area : areas.select<osmium::Area>()) {
        shapes.read(area);
      }
      areas.clear();
    };
    for (const auto &relation : relations.select<osmium::Relation>()) {
      // A relation that lacks a way is left out: an island whose lake is cut off must not become a lake. The assembler
      // requires a way for each member.
      std::vector<const osmium::Way *> found;
      bool is_whole = true;
      for (const auto &member : relation.members()) {
        if (member.type() != osmium::item_type::way) {
          continue;
        }
        const auto way = std::lower_bound(by_id.begin(), by_id.end(), member.ref(),
                                          [](const Kept &kept, osmium::object_id_type id) { return kept.id < id; });
        is_whole = is_whole && way != by_id.end() && way->id == member.ref();
        if (!is_whole) {
          break;
        }
        found.push_back(&ways.get<const osmium::Way>(way->offset));
      }
      if (!is_whole) {
        continue;
      }
      osmium::area::Assembler assembler{config};
      assembler(relation, found, areas);
      hand_areas();
    }
    for (const Kept &one : kept) {
      const auto &way = ways.get<const osmium::Way>(one.offset);
      if (one.want == 1) {
        shapes.read(way);
      } else if (one.want == 2 && way.is_closed()) {
        osmium::area::Assembler assembler{config};
        assembler(way, areas);
        hand_areas();
      }
    }
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
  // The heap is fragmented after an import: without this, freed memory between the few remaining parts stays resident.
  malloc_trim(0);
#endif
}
