import Geography
import Hierarchy
import StreetNetwork

/// The vehicle types that phrases distinguish.
package enum TransitVehicle: String, Sendable, CaseIterable {
  case tram, metro, rail, bus, ferry, cableTram, aerialLift, funicular, trolleybus, monorail
  /// A type that GTFS does not define.
  case other
}

/// A ride in a vehicle, with the data for its instruction.
package struct TransitRide: Sendable {
  package var vehicle: TransitVehicle
  package var line: String
  /// The headsign; empty if the timetable has none.
  package var headsign: String
  /// The name of the first stop, and the departure in local time: "07:12".
  package var stop: String
  package var time: String
  package var lastStop: String
  var lastTime: String
  /// The number of stops ridden, including the last one.
  package var stops: Int
  package var staysSeated: Bool
  /// The points of the vehicle's route.
  package var points: [FixedCoordinate]

  package init(
    _ vehicle: TransitVehicle, line: String, headsign: String, from stop: (name: String, time: String),
    to last: (name: String, time: String), stops: Int, staysSeated: Bool, along points: [FixedCoordinate]
  ) {
    (self.vehicle, self.line, self.headsign, self.staysSeated) = (vehicle, line, headsign, staysSeated)
    (self.stop, time, lastStop, lastTime, self.stops) = (stop.name, stop.time, last.name, last.time, stops)
    self.points = points
  }
}

/// A leg of a trip by public transport.
package struct TransitLeg: Sendable {
  package enum Kind: Sendable {
    /// A walk on streets between one of the `from` ends and one of the `to` ends: the pair whose trip takes exactly the
    /// leg's time. If there is no such pair, a walk of `inStation` centimetres within a station, or a straight line if
    /// `inStation` is nil.
    case walk(from: [TripEnd], to: [TripEnd], inStation: UInt32? = nil)
    case wait
    case ride(TransitRide)
  }

  package var kind: Kind
  package var milliseconds: UInt32
  /// The stop where the leg ends; nil for the destination.
  package var stop: String?
  /// The start and end points.
  package var ends: (FixedCoordinate, FixedCoordinate)

  package init(
    _ kind: Kind, taking milliseconds: Int, to stop: String?, between ends: (FixedCoordinate, FixedCoordinate)
  ) { (self.kind, self.milliseconds, self.stop, self.ends) = (kind, UInt32(milliseconds), stop, ends) }
}

extension Router {
  /// Returns the route of a trip by public transport: the steps of its walks, and one step for each wait and each ride.
  /// The times of the steps add up to the times of the legs.
  package func route(along legs: [TransitLeg]) -> Route {
    var builder = TransitRouteBuilder()
    for leg in legs {
      switch leg.kind {
      case .walk(let sources, let targets, let inStation):
        add(leg, from: sources, to: targets, inStation, to: &builder)
      case .wait:
        let words = instructions.words(.wait, at: leg.stop)
        builder.add(step(.wait, words, leg, by: .walking, leg.stop ?? ""), along: [leg.ends.0])
      case .ride(let ride):
        let words = instructions.words(of: ride)
        var step = step(
          ride.staysSeated ? .staySeated : .board, words.instructions, leg, by: .transit, ride.line, ride.centimetres)
        step.notice = words.notice
        builder.add(step, along: ride.points)
        if builder.lines.last != ride.line { builder.lines.append(ride.line) }
      }
    }
    if let last = legs.last, builder.endsWithoutArrival {
      let step = step(.arrive, instructions.words(.arrive, at: nil), nil, by: .walking, "")
      builder.add(step, along: [last.ends.1])
    }
    let name = instructions.routeName(builder.lines)
    return Route(
      name: name.streets, title: name.title, advisoryNotices: builder.notices, transportType: .transit,
      polyline: Polyline(points: builder.points[...]), steps: builder.finishedSteps(), hasTolls: false,
      hasHighways: false,
      weight: builder.steps.reduce(.zero) { $0 + $1.weight },
      climb: network.hasElevations ? builder.steps.reduce(Climb()) { $0 + ($1.climb ?? Climb()) } : nil)
  }

  private func add(
    _ leg: TransitLeg, from sources: [TripEnd], to targets: [TripEnd], _ inStation: UInt32?,
    to builder: inout TransitRouteBuilder
  ) {
    guard leg.milliseconds > 0 else { return }
    let isLast = leg.stop == nil
    for source in sources {
      for target in targets where weight(from: source, to: target)?.milliseconds == leg.milliseconds {
        guard let route = route(from: source, to: target) else { continue }
        for notice in route.advisoryNotices where !builder.notices.contains(notice) { builder.notices.append(notice) }
        var steps = route.steps
        // Only the last leg arrives at the destination.
        if !isLast, steps.count > 1 {
          let arrival = steps.removeLast()
          steps[steps.count - 1].weight = steps[steps.count - 1].weight + arrival.weight
          steps[steps.count - 1].polyline = Polyline(
            points: Array(steps[steps.count - 1].polyline.points) + arrival.polyline.points.dropFirst())
        } else if !isLast {
          steps[0].maneuver = .transfer
          steps[0].instructions = instructions.words(.transfer, at: leg.stop)
          steps[0].phrase = TransitRouteBuilder.unnumbered
        }
        for step in steps { builder.add(step, along: Array(step.polyline.points)) }
        return
      }
    }
    let words = instructions.words(isLast ? .arrive : .transfer, at: leg.stop)
    let centimetres = inStation ?? UInt32((leg.ends.0.distance(to: leg.ends.1) * 100).rounded())
    let step = step(isLast ? .arrive : .transfer, words, leg, by: .walking, leg.stop ?? "", centimetres)
    builder.add(step, along: [leg.ends.0, leg.ends.1])
  }

  private func step(
    _ maneuver: Maneuver, _ words: String, _ leg: TransitLeg?, by type: TransportType, _ street: String,
    _ centimetres: UInt32 = 0
  ) -> RouteStep {
    RouteStep(
      instructions: words, maneuver: maneuver, street: street, transportType: type, polyline: Polyline(points: [][...]),
      weight: Weight(milliseconds: leg?.milliseconds ?? 0, centimetres: centimetres),
      phrase: TransitRouteBuilder.unnumbered)
  }
}

extension TransitRide {
  /// The length of the vehicle's route in centimetres.
  package var centimetres: UInt32 { UInt32((points[...].length * 100).rounded()) }
}

/// The points and the steps of a route under construction.
private struct TransitRouteBuilder {
  private(set) var points: [FixedCoordinate] = []
  private(set) var steps: [RouteStep] = []
  /// The index of each step's first point.
  private var starts: [Int] = []
  var notices: [String] = []
  var lines: [String] = []

  /// The phrase index of a step whose phrase has no index in the router.
  static let unnumbered = -1

  var endsWithoutArrival: Bool {
    switch steps.last?.maneuver {
    case .arrive, .arriveLeft, .arriveRight: false
    case .wait: !steps.contains { [.arrive, .arriveLeft, .arriveRight].contains($0.maneuver) }
    default: true
    }
  }

  mutating func add(_ step: RouteStep, along shape: [FixedCoordinate]) {
    guard let first = shape.first else { return }
    if points.last != first { points.append(first) }
    starts.append(points.count - 1)
    points += shape.dropFirst()
    steps.append(step)
  }

  /// Returns the steps, each with its section of the route.
  func finishedSteps() -> [RouteStep] {
    steps.indices.map { index in
      var step = steps[index]
      let end = index + 1 < steps.count ? starts[index + 1] : points.count - 1
      step.polyline = Polyline(points: points[starts[index]...end])
      return step
    }
  }
}
