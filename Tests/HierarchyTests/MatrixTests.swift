import Hierarchy
import TestMaps
import Testing

/// All engines agree with the textbook algorithm, cell by cell, bit for bit.
struct MatrixTests {
  /// All engines, lane widths and block sizes, including ragged ones.
  private static let plans: [MatrixPlan] = {
    var plans = [MatrixPlan(.pairs)]
    for engine in [MatrixPlan.Engine.sourceLanes, .targetLanes] {
      for lanes in [16, 32] {
        for sweepsAll in [false, true] {
          plans.append(MatrixPlan(engine, lanes: lanes, sweepsAll: sweepsAll, rowsPerBlock: 19))
        }
      }
    }
    return plans
  }()

  @Test func agreesWithDijkstraOnRandomGraphs() {
    let failure = TestGraph.firstFailure(
      seeds: 1...max(100, ExactnessTests.graphCount / 20), withLong: true, mismatch(on:seed:))
    #expect(failure == nil)
  }

  private func mismatch(on test: TestGraph, seed: UInt64) -> String? {
    var random = SeededGenerator(seed: seed)
    let (sources, targets) = (points(on: test, using: &random), points(on: test, using: &random))
    let expected = oracle(test.graph, sources, targets)
    let hierarchy = Hierarchy(contracting: test.graph)
    let (from, to) = (SeedTable(sources), SeedTable(targets))
    for plan in [nil] + MatrixTests.plans.map(Optional.init) {
      for lengths in [false, true] {
        let found = cells(Matrix(hierarchy, from: from, to: to, lengths: lengths, plan: plan))
        for (row, column) in sources.indices.flatMap({ row in targets.indices.map { (row, $0) } }) {
          let (cell, right) = (found[row][column], expected[row][column])
          guard lengths ? cell == right : cell.milliseconds == right.milliseconds else {
            return "\(plan?.description ?? "plan") \(row) to \(column): \(cell), expected \(right)"
          }
        }
      }
    }
    return nil
  }

  /// Returns 0 to 70 points with 0 to 3 seeds each, some of them duplicates.
  private func points(on test: TestGraph, using random: inout SeededGenerator) -> [[Seed]] {
    (0..<Int.random(in: 0...70, using: &random)).map { _ in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Seed(
          StateID(Int.random(in: 0..<test.stateCount, using: &random)),
          Weight(milliseconds: .random(in: 0...6, using: &random), centimetres: .random(in: 0...3, using: &random)))
      }
    }
  }

  private func oracle(_ graph: ArcGraph, _ sources: [[Seed]], _ targets: [[Seed]]) -> [[Weight]] {
    sources.map { source in
      let weights = Dijkstra(graph).weights(from: source)
      return targets.map { target in target.map { weights[Int($0.state.index)] + $0.weight }.min() ?? .infinity }
    }
  }

  private func cells(_ matrix: Matrix) -> [[Weight]] {
    let (query, block) = (MatrixQuery(matrix), MatrixBlock(matrix))
    return matrix.blocks.flatMap { rows in
      query.fill(block, rows: rows)
      return rows.indices.map { row in
        (0..<matrix.targets.count).map { block.weight(row: row - rows.lowerBound, column: $0) }
      }
    }
  }

  @Test(arguments: [(0, 3), (3, 0), (0, 0), (1, 1)])
  func fillsEmptyAndSingleCellMatrices(rows: Int, columns: Int) {
    let hierarchy = Hierarchy(contracting: TestGraph("a-b 5, b-c 3, a>c 9/7").graph)
    let (from, to) = (
      SeedTable(states: (0..<rows).map { StateID($0) }), SeedTable(states: (0..<columns).map { StateID($0) })
    )
    for plan in [nil] + MatrixTests.plans.map(Optional.init) {
      let found = cells(Matrix(hierarchy, from: from, to: to, lengths: true, plan: plan))
      #expect(found.count == rows && found.allSatisfy { $0.count == columns })
      if rows == 1 { #expect(found == [[.zero]]) }
    }
  }

  @Test func marksUnreachableCells() {
    let hierarchy = Hierarchy(contracting: TestGraph("a>b 5, c-d 3").graph)
    for plan in MatrixTests.plans {
      let matrix = Matrix(
        hierarchy, from: SeedTable(states: [StateID(1), StateID(2)]), to: SeedTable(states: [StateID(0)]),
        lengths: true, plan: plan)
      #expect(cells(matrix) == [[.infinity], [.infinity]])
    }
  }

  @Test func plansPairsForFewCellsAndSweepsForMany() {
    let grid = TestGraph.grid(side: 40, seed: 1)
    let hierarchy = Hierarchy(contracting: grid.graph)
    func plan(_ rows: Int, _ columns: Int) -> MatrixPlan {
      let states = { (count: Int) in SeedTable(states: (0..<count).map { StateID($0 % grid.stateCount) }) }
      return Matrix(hierarchy, from: states(rows), to: states(columns), lengths: false).plan
    }
    #expect(plan(1, 1).engine == .pairs)
    #expect(plan(1000, 1000).engine != .pairs)
    #expect(plan(20_000, 30).engine == .targetLanes)
    #expect(plan(30, 20_000).engine == .sourceLanes)
  }
}
