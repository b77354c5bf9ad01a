import Geography
import Hierarchy
import Routing
import StreetNetwork
import Synchronization
import Tables

/// The named lists of places snapped by a shard, for the merge.
final class SnapJournal: Sendable {
  private let lists = Mutex<[String: [[UInt8]]]>([:])

  /// The number of bytes held.
  var memory: Int { lists.withLock { $0.values.joined().reduce(0) { $0 + $1.count } } }

  /// The number of places per piece.
  private static let pieceSize = 1 << 16

  /// Returns the snapped lists, each in pieces, and removes them.
  func take() -> [String: [[UInt8]]] {
    lists.withLock { lists in
      defer { lists = [:] }
      return lists
    }
  }

  /// Keeps the places of a list at ascending indices.
  func keep(_ places: SnappedPlaces, as name: String, at indices: some Collection<Int>) {
    var (rest, pieces) = (indices[...], [[UInt8]]())
    while !rest.isEmpty {
      pieces.append(SnapJournal.piece(rest.prefix(SnapJournal.pieceSize).map { places[$0] }))
      rest = rest.dropFirst(SnapJournal.pieceSize)
    }
    lists.withLock { [pieces] lists in
      precondition(lists.updateValue(pieces, forKey: name) == nil, "two lists with the same name")
    }
  }

  private static func piece(_ places: [SnappedPlace]) -> [UInt8] {
    let twins = places.enumerated().flatMap { index, place in
      (place.end?.snap.twins ?? []).map { Twin(place: UInt64(index), spot: Record.Spot($0)) }
    }
    var journal = JournalWriter()
    journal.put(fixed: places.map { Record($0) })
    journal.put(fixed: twins)
    return journal.bytes
  }

  /// Reads the places of a piece into the next indices. *Throws*: `JournalReader.Failure` if their number or a street
  /// is invalid.
  static func take(
    _ journal: inout JournalReader, at indices: inout some IteratorProtocol<Int>, into places: inout SnappedPlaces,
    of network: StreetNetwork
  ) throws {
    let records = try journal.takeFixed(Record.self)
    let twins = try journal.takeFixed(Twin.self)
    var found = try records.map { try $0.place(on: network) }
    for twin in twins {
      guard twin.place < found.count else { throw JournalReader.Failure() }
      found[Int(twin.place)].end?.snap.twins.append(try twin.spot.position(on: network))
    }
    for place in found {
      guard let index = indices.next() else { throw JournalReader.Failure() }
      places[index] = place
    }
  }

  /// A snapped place in bytes; overlapping streets are stored separately.
  private struct Record: BitwiseCopyable {
    /// The position; its street is the maximum number if the place is not snapped.
    var spot: Spot
    var distance: Double
    var point: FixedCoordinate
    /// The size of the island that snapping passed over; -1 for none.
    var passedSize: Int32
    var isOutside: UInt32
    /// The street that represents the place's square; the maximum number for none.
    var square: UInt32
    var unused: UInt32 = 0

    struct Spot: BitwiseCopyable {
      var street: UInt32
      var segment: UInt32
      var fraction: Double
      /// The weight of the straight line across a square.
      var milliseconds: UInt32
      var centimetres: UInt32

      init(_ position: StreetPosition) {
        (street, segment, fraction) = (position.street.index, UInt32(position.segment), position.fraction)
        (milliseconds, centimetres) = (position.line.milliseconds, position.line.centimetres)
      }

      func position(on network: StreetNetwork) throws -> StreetPosition {
        guard street < network.streetCount, Int(segment) + 1 < network.shape(of: StreetID(street)).count,
          (0...1).contains(fraction), milliseconds <= Weight.arcTimeLimit, centimetres <= Weight.arcLimit
        else { throw JournalReader.Failure() }
        return StreetPosition(
          street: StreetID(street), fraction: fraction, segment: Int(segment),
          line: Weight(milliseconds: milliseconds, centimetres: centimetres))
      }
    }

    private static let unsnapped = Spot(StreetPosition(street: StreetID(UInt32.max), fraction: 0, segment: 0))

    init(_ place: SnappedPlace) {
      spot = place.end.map { Spot($0.snap.position) } ?? Record.unsnapped
      distance = place.end?.snap.distance ?? 0
      point = place.end?.snap.point ?? FixedCoordinate(longitude: 0, latitude: 0)
      passedSize = place.passedSize.map { Int32($0) } ?? -1
      isOutside = place.isOutside ? 1 : 0
      square = place.end?.snap.square?.index ?? .max
    }

    /// Returns the place. The input coordinate and the snap leg are not stored: `SnappedPlaces` derives them.
    func place(on network: StreetNetwork) throws -> SnappedPlace {
      var place = SnappedPlace(passedSize: passedSize < 0 ? nil : Int(passedSize), isOutside: isOutside != 0)
      guard spot.street != .max else { return place }
      guard point.coordinate.isValid, (0...1e9).contains(distance),
        square == .max || network.isSquare(StreetID(square))
      else { throw JournalReader.Failure() }
      let snap = Snap(
        position: try spot.position(on: network), point: point, distance: distance,
        square: square == .max ? nil : StreetID(square))
      place.end = TripEnd(place: point, snap: snap, leg: .zero)
      return place
    }
  }

  private struct Twin: BitwiseCopyable {
    /// The index of the place in its piece.
    var place: UInt64
    var spot: Record.Spot
  }
}
