import Geography

/// Places of the input by their index; where one is can be told without making it.
package protocol PlaceList: RandomAccessCollection<InputPlace>, Sendable where Index == Int {
  func coordinate(at index: Int) -> FixedCoordinate
}

extension PairPlaces: PlaceList {}

extension [InputPlace]: PlaceList {
  package func coordinate(at index: Int) -> FixedCoordinate { self[index].coordinate }
}
