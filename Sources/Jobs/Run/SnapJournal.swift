import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork
import Synchronization

/// The places that a shard has snapped, list after list in the order in which its job does: a merge takes them from there.
final class SnapJournal: Sendable {
  private let known = Mutex<[[UInt8]]>([])

  /// What was snapped, in that order; it is kept no longer.
  func take() -> [[UInt8]] {
    known.withLock { lists in
      defer { lists = [] }
      return lists
    }
  }

  func append(_ places: some Sequence<SnappedPlace>) {
    var records: [Record] = []
    var twins: [Twin] = []
    for place in places {
      for position in place.end?.snap.twins ?? [] {
        twins.append(Twin(place: UInt64(records.count), Record.Spot(position)))
      }
      records.append(Record(place))
    }
    var journal = JournalWriter()
    journal.put(fixed: records)
    journal.put(fixed: twins)
    let bytes = journal.bytes
    known.withLock { $0.append(bytes) }
  }

  /// The places of a list, at the coordinates that they have in the input. *Throws*: `JournalReader.Failure` where these are
  /// not as many.
  static func places(_ bytes: [UInt8], at coordinates: [FixedCoordinate]) throws -> [SnappedPlace] {
    var journal = JournalReader(bytes)
    let records = try journal.takeFixed(Record.self)
    let twins = try journal.takeFixed(Twin.self)
    guard records.count == coordinates.count else { throw JournalReader.Failure() }
    var places = zip(records, coordinates).map { $0.place(at: $1) }
    for twin in twins {
      guard twin.place < places.count else { throw JournalReader.Failure() }
      places[Int(twin.place)].end?.snap.twins.append(twin.spot.position)
    }
    return places
  }

  /// A snapped place in bytes; twins are kept elsewhere.
  private struct Record: BitwiseCopyable {
    /// Nowhere if its street is the last that a number can name.
    var spot: Spot
    var distance: Double
    var point: FixedCoordinate
    var leg: Weight
    /// -1 for none.
    var passedSize: Int32
    var isOutside: UInt32

    struct Spot: BitwiseCopyable {
      var street: UInt32
      var segment: UInt32
      var fraction: Double

      init(_ position: StreetPosition) {
        (street, segment, fraction) = (position.street.index, UInt32(position.segment), position.fraction)
      }

      var position: StreetPosition {
        StreetPosition(street: StreetID(street), fraction: fraction, segment: Int(segment))
      }
    }

    private static let nowhere = Spot(StreetPosition(street: StreetID(UInt32.max), fraction: 0, segment: 0))

    init(_ place: SnappedPlace) {
      spot = place.end.map { Spot($0.snap.position) } ?? Record.nowhere
      distance = place.end?.snap.distance ?? 0
      point = place.end?.snap.point ?? FixedCoordinate(longitude: 0, latitude: 0)
      leg = place.end?.leg ?? .zero
      passedSize = place.passedSize.map { Int32($0) } ?? -1
      isOutside = place.isOutside ? 1 : 0
    }

    func place(at coordinate: FixedCoordinate) -> SnappedPlace {
      let snap = Snap(position: spot.position, point: point, distance: distance)
      return SnappedPlace(
        end: spot.street == .max ? nil : TripEnd(place: coordinate, snap: snap, leg: leg),
        passedSize: passedSize < 0 ? nil : Int(passedSize), isOutside: isOutside != 0)
    }
  }

  private struct Twin: BitwiseCopyable {
    /// Its index in the list.
    var place: UInt64
    var spot: Record.Spot

    init(place: UInt64, _ spot: Record.Spot) { (self.place, self.spot) = (place, spot) }
  }
}
