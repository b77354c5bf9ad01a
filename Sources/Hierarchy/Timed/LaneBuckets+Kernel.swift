import Foundation

// The queue of departure lanes: states by the smallest offset among improved lanes, four seconds per bucket. A state in
// several buckets is taken from the first (lazy deletion). Pushing costs one store, popping one load.

/// Buckets of states in ascending order. Used by one search.
struct LaneBuckets {
  private struct Bucket {
    var states: UnsafeMutablePointer<UInt32>?
    var count: UInt32 = 0
    var capacity: UInt32 = 0
  }

  /// The binary logarithm of a bucket's span, 4,096 ms.
  static let shift: UInt32 = 12
  private static let bucketCount = Int(Weight.infinity.milliseconds >> shift) + 1
  /// The key of a state that is in no bucket.
  static let none = UInt32.max

  private let buckets: UnsafeMutablePointer<Bucket>
  /// The bucket of each state; `none` if it is in no bucket.
  private let keys: UnsafeMutablePointer<UInt32>
  private let stateCount: Int
  /// The last bucket that may have states; -1 if there is none.
  private var last = -1
  /// The number of buckets up to the last one used so far: the system allocates no memory for later ones.
  private var usedCount = 0
  /// The number of states for which all buckets together have memory.
  private var capacity = 0

  init(stateCount: Int) {
    self.stateCount = stateCount
    guard let zeros = calloc(LaneBuckets.bucketCount, MemoryLayout<Bucket>.stride) else {
      fatalError("out of memory: cannot allocate the buckets of a search")
    }
    buckets = zeros.bindMemory(to: Bucket.self, capacity: LaneBuckets.bucketCount)
    keys = .allocate(capacity: max(1, stateCount))
    keys.initialize(repeating: LaneBuckets.none, count: max(1, stateCount))
  }

  func deallocate() {
    for bucket in 0..<usedCount { buckets[bucket].states?.deallocate() }
    free(buckets)
    keys.deallocate()
  }

  /// The bytes in use.
  var memory: Int { usedCount * MemoryLayout<Bucket>.stride + (stateCount + capacity) * MemoryLayout<UInt32>.stride }

  /// Returns the bytes expected for `stateCount` states. States stay in a bucket until it is emptied, and buckets keep
  /// their memory, so a few times as many entries as states is usual.
  static func expectedMemory(stateCount: Int) -> Int {
    bucketCount * MemoryLayout<Bucket>.stride + 5 * stateCount * MemoryLayout<UInt32>.stride
  }

  @inline(__always) var end: Int { last &+ 1 }
  @inline(__always) func count(_ bucket: Int) -> Int { Int(buckets[bucket].count) }
  @inline(__always) func state(_ bucket: Int, _ index: Int) -> UInt32 { buckets[bucket].states![index] }
  @inline(__always) func keyAddress(_ state: UInt32) -> UnsafePointer<UInt32> { UnsafePointer(keys + Int(state)) }

  /// Puts a state into the bucket of `offset`, unless it is in an earlier one.
  @inline(__always)
  mutating func push(_ state: UInt32, _ offset: UInt32) {
    let bucket = offset >> LaneBuckets.shift
    guard bucket < keys[Int(state)] else { return }
    keys[Int(state)] = bucket
    let index = Int(bucket)
    if buckets[index].count == buckets[index].capacity { grow(index) }
    buckets[index].states![Int(buckets[index].count)] = state
    buckets[index].count &+= 1
    if index > last {
      last = index
      usedCount = max(usedCount, index &+ 1)
    }
  }

  /// Removes a state from its bucket; returns false if it was taken from, or moved to, another bucket.
  @inline(__always)
  mutating func take(_ state: UInt32, from bucket: Int) -> Bool {
    guard keys[Int(state)] == UInt32(truncatingIfNeeded: bucket) else { return false }
    keys[Int(state)] = LaneBuckets.none
    return true
  }

  @inline(__always)
  mutating func empty(_ bucket: Int) { buckets[bucket].count = 0 }

  mutating func removeAll(from bucket: Int) {
    if bucket <= last {
      for bucket in bucket...last {
        for index in 0..<count(bucket) { keys[Int(state(bucket, index))] = LaneBuckets.none }
        empty(bucket)
      }
    }
    last = -1
  }

  private mutating func grow(_ index: Int) {
    let capacity = max(64, buckets[index].capacity * 2)
    let states = UnsafeMutablePointer<UInt32>.allocate(capacity: Int(capacity))
    if let old = buckets[index].states {
      states.update(from: old, count: Int(buckets[index].count))
      old.deallocate()
    }
    self.capacity += Int(capacity - buckets[index].capacity)
    (buckets[index].states, buckets[index].capacity) = (states, capacity)
  }
}
