import Geography

/// Places of the input by index; a coordinate is available without creating the place.
package protocol PlaceList: RandomAccessCollection<InputPlace>, Sendable where Index == Int {
  func coordinate(at index: Int) -> FixedCoordinate
}

extension PairPlaces: PlaceList {}

extension [InputPlace]: PlaceList {
  package func coordinate(at index: Int) -> FixedCoordinate { self[index].coordinate }
}
