// Bindings to libosmium: objects of an OpenStreetMap file, one callback each. No logic but a filter on tags.
#ifndef COSMIUM_H
#define COSMIUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file (`path`), or text in memory (`bytes`, `size`) in the format named (`opl`, `osm`).
typedef struct COsmiumSource {
  const char *path;
  const char *bytes;
  size_t size;
  const char *format;
} COsmiumSource;

/// Tags as libosmium keeps them: key, NUL, value, NUL, key, … Valid during the callback only.
typedef struct COsmiumTags {
  const char *bytes;
  size_t size;
} COsmiumTags;

typedef struct COsmiumWay {
  int64_t id;
  const int64_t *nodes;
  size_t node_count;
  COsmiumTags tags;
} COsmiumWay;

/// `type` is 'n', 'w' or 'r'.
typedef struct COsmiumMember {
  char type;
  int64_t ref;
  const char *role;
} COsmiumMember;

typedef struct COsmiumRelation {
  int64_t id;
  const COsmiumMember *members;
  size_t member_count;
  COsmiumTags tags;
} COsmiumRelation;

/// Longitude and latitude in units of 1e-7 degrees.
typedef struct COsmiumNode {
  int64_t id;
  int32_t longitude;
  int32_t latitude;
  COsmiumTags tags;
} COsmiumNode;

/// What was left out of what a handler got: tags longer than OpenStreetMap allows, all tags of objects that have a NUL in one
/// of their strings, and nodes whose position is missing, not a number or not on the earth. Counted on from what is in it.
typedef struct COsmiumOmissions {
  uint32_t overlong_tags;
  uint32_t objects_with_nul;
  uint32_t nodes_without_position;
  /// All that the file has, where relations are read: none is an omission of whoever made it.
  uint32_t relations;
} COsmiumOmissions;

typedef void (*COsmiumWayHandler)(void *context, const COsmiumWay *way);
typedef void (*COsmiumRelationHandler)(void *context, const COsmiumRelation *relation);
typedef void (*COsmiumNodeHandler)(void *context, const COsmiumNode *node);

/// Hands every way that has one of `keys`, and every relation that is a turn restriction, a boundary, an area, a ferry's
/// route or of public transport, to its handler, in the order of the file. Returns 0, or 1 with a sentence in `message`.
int cosmium_read_ways(const COsmiumSource *source, const char *const *keys, size_t key_count, void *context,
                      COsmiumWayHandler way_handler, COsmiumRelationHandler relation_handler,
                      COsmiumOmissions *omissions, char *message, size_t message_size);

/// Hands every way whose ID is among `ids`, which ascend, to `handler`, in the order of the file. Returns as
/// `cosmium_read_ways` does.
int cosmium_read_ways_by_id(const COsmiumSource *source, const int64_t *ids, size_t id_count, void *context,
                            COsmiumWayHandler handler, char *message, size_t message_size);

/// Hands every node to `handler`, in the order of the file. Returns as `cosmium_read_ways` does.
int cosmium_read_nodes(const COsmiumSource *source, void *context, COsmiumNodeHandler handler,
                       COsmiumOmissions *omissions, char *message, size_t message_size);

/// A point ('p'), a line ('l') or an area ('a') with its tags: longitudes and latitudes in units of 1e-7 degrees, and
/// where each ring ends, counted in points. Areas have outer rings and holes alike, each closed.
typedef struct COsmiumShape {
  char type;
  COsmiumTags tags;
  const int32_t *coordinates;
  const size_t *ends;
  size_t ring_count;
} COsmiumShape;

/// What of a node ('n'), a way ('w') or a multipolygon's relation ('r') is wanted by its tags: 0 nothing, 1 a point or line,
/// 2 an area.
typedef int (*COsmiumChooser)(void *context, char type, const COsmiumTags *tags);
typedef void (*COsmiumShapeHandler)(void *context, const COsmiumShape *shape);

/// Hands every shape that `chooser` wants to `handler`: points, then areas of relations, then ways, each in the order of the
/// file. What has no position, rings that do not close and relations that lack a way are left out. Reads the file three
/// times, and keeps the ways that are wanted in memory. Returns as `cosmium_read_ways` does.
int cosmium_read_shapes(const COsmiumSource *source, void *context, COsmiumChooser chooser,
                        COsmiumShapeHandler handler, char *message, size_t message_size);

/// When the map's data were current, in ISO 8601: as its head tells, else the newest change of a way; empty where neither
/// is known. Returns as `cosmium_read_ways` does.
int cosmium_map_date(const COsmiumSource *source, char *date, size_t date_size, char *message, size_t message_size);

/// Gives the memory that reading left free back to the system.
void cosmium_release_memory(void);

#ifdef __cplusplus
}
#endif

#endif
