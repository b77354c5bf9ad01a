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
