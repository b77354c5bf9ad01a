import Geography
import Jobs
import Reports
import Testing

/// The widths of streets by the number of trips on them.
struct FlowScaleTests {
  private func flow(_ forward: Int, _ backward: Int = 0, weight: Double? = nil) -> DrawnFlow {
    DrawnFlow(
      name: "street", trips: (forward, backward), weight: weight.map { ($0, 0) },
      points: [FixedCoordinate(longitude: 0, latitude: 0), FixedCoordinate(longitude: 1000, latitude: 0)])
  }

  @Test func classesEndAtRoundNumbers() {
    let scale = FlowScale(most: 400)
    #expect(scale.limits == [10, 50, 100, 200])
    #expect([1, 10, 11, 100, 201, 400].map(scale.shade) == [0, 0, 1, 2, 4, 4])
    #expect(scale.legend.map(\.text) == ["up to 10", "up to 50", "up to 100", "up to 200", "over 200"])
  }

  @Test func fewTripsHaveFewClasses() {
    #expect(FlowScale(most: 1).limits.isEmpty)
    #expect(FlowScale(most: 1).shade(of: 1) == FlowScale.widths.count - 1)
    #expect(FlowScale(most: 3).limits == [1])
  }

  @Test func weightsTakePrecedenceOverTrips() {
    #expect(flow(2, weight: 40).sum == 40 && flow(2, 3).sum == 5)
  }
}
