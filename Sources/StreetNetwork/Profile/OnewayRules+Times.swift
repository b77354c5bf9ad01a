extension OnewayRules {
  /// Directions by the time: what the tags say usually, and the clauses of `oneway:conditional` and its like.
  func directions(at conditional: inout ConditionalTags) -> Timed<Directions> {
    var clauses: [Timed<Directions>.Clause] = []
    for (index, key) in keys.enumerated() {
      let isSpecial = index == 0 && keys.count > 1
      let isLifted = !isSpecial && opposite.matches(conditional.tags)
      clauses = conditional.clauses(key) { isLifted && values[$0] != nil ? .both : values[$0] } + clauses
      if conditional.tags[key].flatMap({ values[$0] }) != nil { break }
    }
    return Timed(directions(conditional.tags), clauses)
  }
}
