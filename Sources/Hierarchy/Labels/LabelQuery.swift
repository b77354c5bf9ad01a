/// A query for the weights of shortest paths between seeds, based on the labels of upper states: the same weights as
/// `PathQuery`, in a fraction of the time.
///
/// A search from each end climbs the elimination tree to the first labelled state. The labels of the reached states
/// contain the distances to all of their ancestors; only the distances to common ancestors are computed.
///
/// Holds the working memory of searches, 32 bytes per state; each thread needs its own object.
public final class LabelQuery {
  let labels: UpperLabels
  var forward: LabelSearch
  var backward: LabelSearch
  var front = ClimbFront()

  /// Creates a query on `labels`, with working memory for one search at a time.
  public init(_ labels: UpperLabels) {
    self.labels = labels
    let maximumDepth = labels.depths.max() ?? 0
    forward = LabelSearch(stateCount: labels.hierarchy.stateCount, maximumDepth: maximumDepth)
    backward = LabelSearch(stateCount: labels.hierarchy.stateCount, maximumDepth: maximumDepth)
  }

  /// Returns the bytes for `stateCount` states.
  package static func memory(stateCount: Int) -> Int { 2 * UpwardSearch.memory(stateCount: stateCount) }

  deinit {
    forward.deallocate()
    backward.deallocate()
    front.deallocate()
  }

  /// Returns the weight of the shortest path from any of `sources` to any of `targets`, including seeds; nil if none.
  public func weight(from sources: [Seed], to targets: [Seed]) -> Weight? {
    // Local variables avoid the exclusivity check on every access to an object's field.
    var (forward, backward, front) = (self.forward, self.backward, self.front)
    defer { (self.forward, self.backward, self.front) = (forward, backward, front) }
    forward.climb(from: sources, labels, labels.hierarchy.outgoing, &front)
    backward.climb(from: targets, labels, labels.hierarchy.incoming, &front)
    let weight = forward.minimumWeight(with: backward, labels)
    return weight.isFinite ? weight : nil
  }
}
