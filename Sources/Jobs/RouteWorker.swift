import Geography
import Results
import Routing

/// Answers the rows of a chunk. One object a thread.
final class RouteWorker {
  private let kind: Job.Kind
  private let table: PairTable
  private let ends: [TripEnd?]
  private let router: Router
  private let deflater = Deflater()

  init(kind: Job.Kind, _ table: PairTable, _ ends: [TripEnd?], _ router: Router) {
    self.kind = kind
    self.table = table
    self.ends = ends
    self.router = router
  }

  /// What was found for a pair of points; rows with equal points share it.
  private enum Answer {
    case missing(RowStatus)
    case route(Route)
    case eta(RouteRow.Found)
  }

  func answer(_ rows: Range<Int>) -> ResultsWriter.Chunk {
    let answers = answers(to: rows)
    var written: [(row: RouteRow, steps: [StepRow])] = []
    written.reserveCapacity(rows.count)
    var phrases = ChunkPhrases()
    var text = TextBuffer(capacity: 1 << 16)
    var hasFeature = false
    for (row, answer) in zip(rows, answers) {
      let routeRow = self.row(row, answer)
      guard case .route(let route) = answer else {
        written.append((routeRow, []))
        continue
      }
      written.append((routeRow, route.steps.map { StepRow($0, phrase: phrases.place(of: $0)) }))
      text.removeAll()
      if hasFeature { text.append(",\n") }
      text.append(routeRow, shape: route.polyline)
      deflater.append(text)
      hasFeature = true
    }
    return ResultsWriter.Chunk(
      routes: written, phrases: phrases.rows, features: kind == .routes ? deflater.finishBlock() : nil)
  }

  /// The answers in the order of the rows. Computed along the map, so that neighbouring trips follow one another and
  /// find memory warm; equal pairs of points once.
  private func answers(to rows: Range<Int>) -> [Answer] {
    var order: [(from: UInt32, to: UInt32, row: Int)] = rows.map { row in
      let (origin, destination) = points(of: row)
      return (HilbertIndex(origin).value, HilbertIndex(destination).value, row)
    }
    order.sort { ($0.from, $0.to, $0.row) < ($1.from, $1.to, $1.row) }
    var known: [PointPair: Answer] = [:]
    var answers = [Answer](repeating: .missing(.invalid), count: rows.count)
    for (_, _, row) in order {
      let (origin, destination) = points(of: row)
      let key = PointPair(origin: origin, destination: destination)
      let answer = known[key] ?? self.answer(to: table.pairs[row])
      known[key] = answer
      answers[row - rows.lowerBound] = answer
    }
    return answers
  }

  private struct PointPair: Hashable {
    var origin: FixedCoordinate
    var destination: FixedCoordinate
  }

  private func points(of row: Int) -> (FixedCoordinate, FixedCoordinate) {
    let pair = table.pairs[row]
    return (table.places[Int(pair.origin)].coordinate, table.places[Int(pair.destination)].coordinate)
  }

  private func answer(to pair: PairTable.Pair) -> Answer {
    guard let origin = ends[Int(pair.origin)], let destination = ends[Int(pair.destination)] else {
      return .missing(.placemarkNotFound)
    }
    switch kind {
    case .routes:
      return router.route(from: origin, to: destination).map(Answer.route) ?? .missing(.directionsNotFound)
    case .etas:
      return router.weight(from: origin, to: destination).map { .eta(RouteRow.Found($0)) }
        ?? .missing(.directionsNotFound)
    }
  }

  private func row(_ row: Int, _ answer: Answer) -> RouteRow {
    let pair = table.pairs[row]
    let (origin, destination) = (table.places[Int(pair.origin)], table.places[Int(pair.destination)])
    var status = RowStatus.ok
    var found: RouteRow.Found?
    switch answer {
    case .missing(let reason): status = reason
    case .eta(let eta): found = eta
    case .route(let route):
      found = RouteRow.Found(route.weight)
      found!.route = RouteRow.Details(
        name: route.name, stepCount: route.steps.count, hasTolls: route.hasTolls, hasHighways: route.hasHighways,
        advisoryNotices: route.advisoryNotices)
    }
    return RouteRow(
      pair: pair.id, origin: origin.id, destination: destination.id,
      group: pair.group >= 0 ? table.groups[Int(pair.group)] : nil, status: status,
      transportType: router.transportType.rawValue,
      crowFlyCentimetres: Int64((origin.coordinate.distance(to: destination.coordinate) * 100).rounded()),
      found: found)
  }
}

/// The different phrases of a chunk's steps, in the order in which they are met.
private struct ChunkPhrases {
  private(set) var rows: [PhraseRow] = []
  private var places: [Int: Int] = [:]

  mutating func place(of step: RouteStep) -> Int {
    if let known = places[step.phrase] { return known }
    places[step.phrase] = rows.count
    rows.append(PhraseRow(step))
    return rows.count - 1
  }
}
