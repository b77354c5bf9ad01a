import StreetNetwork
import Synchronization

/// Idle routers, by what their networks avoid: each is lent to one request at a time, and may change threads in
/// between.
final class RouterPool: Sendable {
  private let network: StreetNetwork
  private let options: Directions.Options
  private let variants: Mutex<[Profile.Avoidance: Variant]>

  /// A network, and the routers on it that are idle.
  private struct Variant: @unchecked Sendable {
    let network: StreetNetwork
    var idle: [Router] = []
  }

  /// A router on its way through the lock.
  private struct Loan: @unchecked Sendable { let router: Router }

  init(_ network: StreetNetwork, _ options: Directions.Options) {
    self.network = network
    self.options = options
    variants = Mutex([network.profile.avoids: Variant(network: network)])
  }

  /// Lends a router to `body`. The first that avoids something opens or builds a network for it.
  func withRouter<R>(avoiding avoids: Profile.Avoidance, _ body: (Router) throws -> R) throws -> R {
    let network = try variant(avoiding: avoids)
    let idle = variants.withLock { $0[avoids]?.idle.popLast().map(Loan.init) }
    let loan = idle ?? Loan(router: Router(network, options))
    defer { variants.withLock { $0[avoids]?.idle.append(loan.router) } }
    return try body(loan.router)
  }

  private func variant(avoiding avoids: Profile.Avoidance) throws -> StreetNetwork {
    if let known = variants.withLock({ $0[avoids]?.network }) { return known }
    // Not under the lock: building takes seconds. Of two that are built at once one is kept.
    let built = try network.avoiding(avoids)
    return variants.withLock { variants in
      variants[avoids, default: Variant(network: built)].network
    }
  }
}
