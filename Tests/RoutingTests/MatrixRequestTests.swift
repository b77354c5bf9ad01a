import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Matrices and nearest places through the public interface.
struct MatrixRequestTests {
  /// 9 is far from all streets.
  private let map = TestMap(
    """
    a-b-c-d
      |
      e         9
    """
  ).way("abcd").way("be").snapLimit(200)

  private func directions() throws -> Directions {
    Directions(network: try map.network(), options: map.options)
  }

  private func places(_ letters: String) -> [Place] { letters.map { Place(coordinate: map[$0]) } }

  @Test func cellsEqualETAs() throws {
    let directions = try directions()
    let matrix = try directions.calculateMatrixAndWait(
      MatrixRequest(sources: places("ae9"), destinations: places("abd9e")))
    #expect(matrix.rows == 3 && matrix.columns == 5)
    for (row, from) in "ae".enumerated() {
      for (column, to) in "abde".enumerated() {
        let eta = try directions.calculateETAAndWait(map.request(from, to))
        let cell = matrix[row, column == 3 ? 4 : column]
        #expect(cell?.expectedTravelTime == eta.expectedTravelTime && cell?.distance == eta.distance)
      }
    }
    #expect(matrix[2, 0] == nil && matrix[0, 3] == nil)
  }

  @Test func omitsDistancesUnlessRequested() throws {
    var request = MatrixRequest(sources: places("a"), destinations: places("b"))
    request.includesDistances = false
    let cell = try directions().calculateMatrixAndWait(request)[0, 0]
    #expect(cell?.distance == nil && isClose(cell?.expectedTravelTime ?? 0, 72))
  }

  @Test func sortsTheNearestFirst() throws {
    var request = NearestRequest(sources: places("ad9"), destinations: places("9ecb"), count: 2)
    #expect(try directions().calculateNearestAndWait(request).map { $0.map(\.destination) } == [[3, 2], [2, 3], []])
    request.timeLimit = 100
    let near = try directions().calculateNearestAndWait(request)
    #expect(near.map { $0.map(\.destination) } == [[3], [2], []])
    #expect(isClose(near[0][0].distance, 100) && isClose(near[0][0].expectedTravelTime, 72))
  }

  @Test func placesAreNearestToThemselves() throws {
    let request = NearestRequest(sources: places("c"), destinations: places("bc"), count: 2)
    let found = try directions().calculateNearestAndWait(request)[0]
    #expect(found.map(\.destination) == [1, 0] && found[0].expectedTravelTime == 0)
  }

  @Test func cancellationEndsAMatrix() async throws {
    let directions = try directions()
    let request = MatrixRequest(sources: places("abcde"), destinations: places("a"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try directions.calculateMatrixAndWait(request)
    }
    await #expect(throws: DirectionsError.cancelled) { try await task.value }
  }
}
