import Geography
import Testing

/// Well-known binary from any program, including malicious ones.
struct ShapeTests {
  private func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

  private func head(_ type: UInt32) -> [UInt8] { [1] + number(type) }

  private func position(_ numbers: Double...) -> [UInt8] {
    numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) } }
  }

  private var ring: [UInt8] {
    number(4) + position(0, 0) + position(4, 0) + position(4, 4) + position(0, 0)
  }

  @Test func readsPointsOfAnyDimension() {
    #expect(Shape(wkb: head(1) + position(1, 2))?.positions == [[1, 2]])
    #expect(Shape(wkb: head(1001) + position(1, 2, 3))?.positions == [[1, 2]])
    #expect(Shape(wkb: head(0xE000_0001) + number(4326) + position(1, 2, 3, 4))?.positions == [[1, 2]])
    #expect(Shape(wkb: [0, 0, 0, 0, 1] + position(1, 2).reversed())?.positions == [[2, 1]])
  }

  @Test func readsCollections() {
    let points = head(4) + number(2) + head(1) + position(1, 2) + head(1) + position(3, 4)
    #expect(Shape(wkb: points)?.positions == [[1, 2], [3, 4]])
    #expect(Shape(wkb: head(6) + number(1) + head(3) + number(1) + ring)?.positions.count == 1)
  }

  @Test func refusesDeepNesting() {
    let nested = (0..<100_000).flatMap { _ in head(7) + number(1) }
    #expect(Shape(wkb: head(4) + number(1) + nested) == nil)
    #expect(Shape(wkb: nested) == nil)
    #expect(Shape(wkb: head(4) + number(1) + head(4) + number(1) + head(1) + position(1, 2)) == nil)
  }

  @Test func readsBytesOfAnyLengthWithoutATrap() {
    let whole = head(6) + number(1) + head(3) + number(1) + ring
    for length in whole.indices { #expect(Shape(wkb: Array(whole[..<length])) == nil) }
    for at in whole.indices {
      var bytes = whole
      bytes[at] = 0xFF
      _ = Shape(wkb: bytes)
    }
  }
}
