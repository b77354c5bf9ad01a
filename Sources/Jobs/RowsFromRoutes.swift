import Geography
import Hierarchy
import Results
import Routing

// The only place where answers of the engine become rows of a table.

extension RouteRow.Found {
  init(_ weight: Weight) {
    self.init(centimetres: Int64(weight.centimetres), milliseconds: Int64(weight.milliseconds))
  }
}

extension StepRow {
  init(_ step: RouteStep, phrase: Int) {
    self.init(
      phrase: phrase, centimetres: Int64(step.weight.centimetres), milliseconds: Int64(step.weight.milliseconds),
      start: step.polyline.points.first!)
  }
}

extension PhraseRow {
  init(_ step: RouteStep) {
    self.init(
      instructions: step.instructions, notice: step.notice, transportType: step.transportType.rawValue,
      maneuver: step.maneuver.rawValue, street: step.street)
  }
}

extension RouteRow.Details {
  init(_ route: Route, hasShape: Bool) {
    self.init(
      name: route.name, stepCount: route.steps.count, hasTolls: route.hasTolls, hasHighways: route.hasHighways,
      advisoryNotices: route.advisoryNotices, shape: hasShape ? route.polyline : nil)
  }
}

/// The different phrases of a chunk's steps, in the order in which they are met.
struct ChunkPhrases {
  private(set) var rows: [PhraseRow] = []
  private var places: [Int: Int] = [:]

  mutating func place(of step: RouteStep) -> Int {
    if let known = places[step.phrase] { return known }
    places[step.phrase] = rows.count
    rows.append(PhraseRow(step))
    return rows.count - 1
  }

  mutating func rows(of steps: [RouteStep]) -> [StepRow] { steps.map { StepRow($0, phrase: place(of: $0)) } }
}
