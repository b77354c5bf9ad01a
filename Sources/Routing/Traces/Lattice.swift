import StreetNetwork

/// The best paths to each candidate of the observations of a part, one layer per observation.
struct Lattice {
  /// The best path to a candidate.
  struct Label: BitwiseCopyable {
    /// The cost in 2^-24 nats; `unreachable` if there is no path.
    var score: UInt64 = Label.unreachable
    /// The path's position on the candidate's street: at the candidate, or farther if the trace moved back slightly.
    var centimetres: UInt32
    /// The index of the previous candidate within its layer.
    var from: Int32 = -1
    var way = Way.along
    /// The arcs of a way through junctions in the lattice's list, last arc first.
    var firstArc: UInt32 = 0
    var arcCount: UInt32 = 0

    static let unreachable = UInt64.max
    var isReachable: Bool { score != Label.unreachable }
  }

  /// The way in which a path leads from one candidate to the next.
  enum Way: UInt8, BitwiseCopyable {
    /// Along one street.
    case along
    /// Turned around on the street without leaving it.
    case turned
    /// Through junctions.
    case through
    /// Turned around on the street first, then through junctions.
    case turnedThrough
  }

  /// An observation and its candidates.
  struct Layer {
    var observation: Int
    /// The range in `candidates` and `labels`.
    var range: Range<Int>
  }

  var layers: [Layer] = []
  var candidates: [Candidate] = []
  var labels: [Label] = []
  var arcs: [UInt32] = []

  var isEmpty: Bool { layers.isEmpty }

  mutating func removeAll() {
    layers.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    labels.removeAll(keepingCapacity: true)
    arcs.removeAll(keepingCapacity: true)
  }

  /// Appends the first layer of a part, to which no ways lead.
  mutating func begin(with candidates: [Candidate], observation: Int) {
    let labels = candidates.map { Label(score: $0.emission, centimetres: $0.centimetres) }
    append(candidates, labels, observation: observation)
  }

  mutating func append(_ candidates: [Candidate], _ labels: [Label], observation: Int) {
    let start = self.candidates.count
    self.candidates.append(contentsOf: candidates)
    self.labels.append(contentsOf: labels)
    layers.append(Layer(observation: observation, range: start..<self.candidates.count))
  }

  /// Removes the last layer; `arcs` is the previous number of arcs.
  mutating func removeLast(arcs count: Int) {
    let start = layers.removeLast().range.lowerBound
    candidates.removeSubrange(start...)
    labels.removeSubrange(start...)
    arcs.removeSubrange(count...)
  }

  /// Returns the candidates of the best path, one per layer, as indices in `candidates`; of equally good paths, the one
  /// to the nearest candidate is chosen.
  func best() -> [Int] {
    guard let last = layers.last else { return [] }
    var index = last.range.min { (labels[$0].score, $0) < (labels[$1].score, $1) }!
    var chosen = [index]
    for layer in layers.indices.dropFirst().reversed() {
      index = layers[layer - 1].range.lowerBound + Int(labels[index].from)
      chosen.append(index)
    }
    return chosen.reversed()
  }
}
