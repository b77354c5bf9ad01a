import Foundation

/// The query items of a link, by name. What changes nothing about directions is left out.
struct LinkItems {
  private let items: [(name: String, value: String)]

  /// Of the picture, not of the route.
  private static let display: Set<String> = [
    "t", "z", "ll", "sll", "spn", "sspn", "map", "heading", "distance", "start", "q", "near", "hnear", "lang", "hl",
  ]

  init(_ url: URL) {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    // A plus stands for a space.
    self.items = items.compactMap { item in
      let name = item.name.lowercased()
      guard !LinkItems.display.contains(name), !name.hasPrefix("utm_"), !name.hasPrefix("_") else { return nil }
      return (name, (item.value ?? "").replacing("+", with: " ").trimmingCharacters(in: .whitespaces))
    }
  }

  /// All that the link says under these names, in its order.
  subscript(names: String...) -> [String] { items.filter { names.contains($0.name) }.map(\.value) }

  /// What the link says under these names, if anything.
  ///
  /// - Throws: `LinkError` where it says several things.
  func single(_ names: String...) throws(LinkError) -> String? {
    let said = items.filter { names.contains($0.name) }
    for item in said.dropFirst() where item.value != said[0].value {
      throw LinkError("the link says both \(said[0].name)=\(said[0].value) and \(item.name)=\(item.value)")
    }
    return said.first?.value
  }

  /// The first item that has none of these names.
  func other(than names: Set<String>) -> (name: String, value: String)? { items.first { !names.contains($0.name) } }
}
