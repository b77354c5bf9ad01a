/// Weights of shortest paths between seeds from the labels of upper states: equal to those of `PathQuery`, in a
/// fraction of the time.
///
/// A search from each end climbs the elimination tree to the first labelled state. The labelled states it has reached,
/// with their labels, give all distances to the ancestors above; only those of common ancestors are computed.
///
/// Contains the working memory of searches, 56 bytes per state: one object per thread.
public final class LabelQuery {
  let labels: UpperLabels
  var forward: LabelSearch
  var backward: LabelSearch
  var front = ClimbFront()

  /// A query by `labels`, with working memory for one search at a time.
  public init(_ labels: UpperLabels) {
    self.labels = labels
    let deepest = labels.depths.max() ?? 0
    forward = LabelSearch(stateCount: labels.hierarchy.stateCount, deepest: deepest)
    backward = LabelSearch(stateCount: labels.hierarchy.stateCount, deepest: deepest)
  }

  deinit {
    forward.deallocate()
    backward.deallocate()
    front.deallocate()
  }

  /// The weight of the shortest path from any of `sources` to any of `targets`, including seeds; nil if there is none.
  public func weight(from sources: [Seed], to targets: [Seed]) -> Weight? {
    // Local variables: every access to an object's field is checked for exclusivity.
    var (forward, backward, front) = (self.forward, self.backward, self.front)
    defer { (self.forward, self.backward, self.front) = (forward, backward, front) }
    forward.climb(from: sources, labels, labels.hierarchy.outgoing, &front)
    backward.climb(from: targets, labels, labels.hierarchy.incoming, &front)
    let weight = forward.least(with: backward, labels)
    return weight.isFinite ? weight : nil
  }
}
