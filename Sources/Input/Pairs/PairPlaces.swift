import Geography
import Tables

/// The places of pairs, in columns: 17 bytes each, plus a hash table during reading.
package struct PairPlaces: RandomAccessCollection, Sendable {
  private var coordinates = BlockColumn<FixedCoordinate>()
  private var ids = IdentifierColumn()
  private var traits = BlockColumn<Traits>()
  /// Empty as long as no place has a name.
  private var names: [String?] = []
  /// The number of distinct points of places without an id.
  private var points: Int64 = 0
  /// The largest number among the ids of the input.
  private var largest: Int64 = 0
  /// A hash table of places: the hash in the upper half, the index plus one in the lower half; 0 if empty.
  private var slots: [UInt64] = []

  private struct Traits: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt8
    static let isDestination = Traits(rawValue: 1)
    /// The id is from the input.
    static let hasInputID = Traits(rawValue: 2)
  }

  /// Bytes per place with a numeric id and without a name, if there are many places.
  package static let placeMemory = 17

  package var startIndex: Int { 0 }
  package var endIndex: Int { coordinates.count }

  package subscript(index: Int) -> InputPlace {
    InputPlace(
      id: idsAreStrings ? ids[index].asText : ids[index],
      role: traits[index].contains(.isDestination) ? .destination : .origin,
      name: index < names.count ? names[index] : nil, coordinate: coordinates[index])
  }

  package func coordinate(at index: Int) -> FixedCoordinate { coordinates[index] }

  /// Whether ids are converted to strings, because not all ids of the job are numbers.
  var idsAreStrings = false

  var idsAreNumbers: Bool { !ids.hasStrings }

  /// Returns the index of a place, which is added on its first appearance, with its first name.
  mutating func index(of role: InputPlace.Role, _ given: Identifier?, _ name: String?, _ coordinate: FixedCoordinate)
    -> Int32
  {
    if count * 5 >= slots.count * 4 { grow() }
    var traits: Traits = role == .destination ? .isDestination : []
    if let given {
      traits.insert(.hasInputID)
      if case .number(let number) = given { largest = Swift.max(largest, number) }
    }
    // Places without an id are numbered in order of the first appearance of their points, at either end.
    var number: Identifier?
    let hash = PairPlaces.hash(given, coordinate)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] > 0 {
      let index = Int(UInt32(truncatingIfNeeded: slots[slot])) - 1
      // Hashes are compared first, since places are far apart in memory.
      if slots[slot] >> 32 == hash, coordinates[index] == coordinate,
        self.traits[index].contains(.hasInputID) == (given != nil), given == nil || ids[index] == given
      {
        guard self.traits[index] != traits else {
          if let name { give(name, to: index) }
          return Int32(index)
        }
        number = ids[index]
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = UInt64(hash) << 32 | UInt64(count + 1)
    if name != nil || !names.isEmpty {
      names += [String?](repeating: nil, count: count - names.count)
      names.append(name)
    }
    ids.append(given ?? number ?? nextNumber())
    self.traits.append(traits)
    coordinates.append(coordinate)
    return Int32(count - 1)
  }

  private mutating func nextNumber() -> Identifier {
    points += 1
    return .number(points)
  }

  /// Sets a place's name, unless an earlier row did.
  private mutating func give(_ name: String, to index: Int) {
    if names.count < count { names += [String?](repeating: nil, count: count - names.count) }
    if names[index] == nil { names[index] = name }
  }

  /// Returns a hash that is the same for both roles of a place.
  private static func hash(_ given: Identifier?, _ coordinate: FixedCoordinate) -> UInt32 {
    let point = UInt64(UInt32(bitPattern: coordinate.latitude)) << 32 | UInt64(UInt32(bitPattern: coordinate.longitude))
    // A multiplicative hash (Knuth 1973): most pairs have places without ids, for which `Hasher` takes ten times as
    // long.
    let hash = (point ^ UInt64(truncatingIfNeeded: given?.hashValue ?? 0)) &* 0x9e37_79b9_7f4a_7c15
    return UInt32(truncatingIfNeeded: hash >> 32)
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: Swift.max(64, old.count * 2))
    for entry in old where entry > 0 {
      var slot = Int(entry >> 32) & (slots.count - 1)
      while slots[slot] > 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }

  /// Frees the hash table after the last place, and gives places without an id numbers above all ids of the input.
  mutating func finish() {
    slots = []
    guard points > 0, largest > 0 else { return }
    var ids = IdentifierColumn()
    for index in indices {
      let id = self.ids[index]
      guard case .number(let number) = id, !traits[index].contains(.hasInputID) else {
        ids.append(id)
        continue
      }
      ids.append(.number(number + largest))
    }
    self.ids = ids
  }
}
