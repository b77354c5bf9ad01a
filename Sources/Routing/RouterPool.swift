import StreetNetwork
import Synchronization

/// Idle routers, by what their networks avoid: each is lent to one request at a time, and may change threads in
/// between.
final class RouterPool: Sendable {
  private let network: StreetNetwork
  private let options: Directions.Options
  /// How slow the streets of a network are when; nil for free flow.
  private let speeds: @Sendable (StreetNetwork) throws -> StreetSpeeds?
  private let variants: Mutex<[Profile.Avoidance: Variant]>

  /// A network on the clock, and the routers on it that are idle.
  private struct Variant: @unchecked Sendable {
    let hours: TimedNetworks
    var idle: [Router] = []
  }

  /// A router on its way through the lock.
  private struct Loan: @unchecked Sendable { let router: Router }

  init(
    _ network: StreetNetwork, _ options: Directions.Options,
    _ speeds: @escaping @Sendable (StreetNetwork) throws -> StreetSpeeds?
  ) {
    (self.network, self.options, self.speeds) = (network, options, speeds)
    variants = Mutex([:])
  }

  /// Lends a router to `body`. The first that avoids something opens or builds a network for it.
  func withRouter<R>(avoiding avoids: Profile.Avoidance, _ body: (Router) throws -> R) throws -> R {
    let hours = try variant(avoiding: avoids)
    let idle = variants.withLock { $0[avoids]?.idle.popLast().map(Loan.init) }
    let loan = idle ?? Loan(router: Router(hours.network, options, hours))
    defer { variants.withLock { $0[avoids]?.idle.append(loan.router) } }
    return try body(loan.router)
  }

  private func variant(avoiding avoids: Profile.Avoidance) throws -> TimedNetworks {
    if let known = variants.withLock({ $0[avoids]?.hours }) { return known }
    // Not under the lock: building takes seconds. Of two that are built at once one is kept.
    let avoiding = try network.avoiding(avoids)
    let built = TimedNetworks(avoiding, try speeds(avoiding), waitLimit: options.waitMilliseconds)
    return variants.withLock { variants in
      variants[avoids, default: Variant(hours: built)].hours
    }
  }
}
