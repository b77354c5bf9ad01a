extension AccessRules {
  /// Access by the time: what the tags say usually, and their clauses. A key with a value, be it for certain times or
  /// for all, overrides more general ones; one for this direction those for both.
  func access(
    at conditional: inout ConditionalTags, _ direction: Direction?, highway: String?, in locality: Locality? = nil,
    usual: Access
  ) -> Timed<Access> {
    let byClass = access(toClass: highway, conditional.tags, locality)
    var clauses: [Timed<Access>.Clause] = []
    search: for key in keys {
      for name in [direction.map { $0 == .forward ? key.forward : key.backward }, key.both].compactMap(\.self) {
        let own = conditional.clauses(name) {
          known($0, key).map { $0.isGeneral ? max(byClass, $0.access) : $0.access }
        }
        clauses = own + clauses
        if known(conditional.tags[name], key) != nil { break search }
      }
    }
    return Timed(usual, clauses + conditional.closings(by: classes, direction))
  }
}
