import Foundation
import TestMaps
import Testing

/// The declarations that modules share: with other packages (`public`), and with each other (`package`).
struct InterfaceTests {
  @Test func documentsEveryPublicDeclaration() throws {
    let missing = try SourceFile.all(under: "Sources").flatMap { file in
      file.declarations.filter { $0.access == "public" && !$0.isDocumented }.map {
        "\(file.path):\($0.line) \($0.text)"
      }
    }
    #expect(missing.isEmpty, "\(missing.count) undocumented:\n\(missing.joined(separator: "\n"))")
  }

  /// The number of declarations that a module may share without a use elsewhere. In Tables, these are the type of
  /// geometry columns, and in eight types the label required for reading a column.
  private static let limits = ["Tables": 9, "StreetNetwork": 1]

  /// Functions that are called without their name.
  private static let unspoken: Set = ["callAsFunction", "makeIterator"]

  /// A type may be shared without being named elsewhere if it is the type of a shared declaration.
  @Test func packageAccessIsUsedByAnotherModule() throws {
    let files = try SourceFile.all(under: "Sources") + SourceFile.all(under: "Tests")
    var words: [String: Set<String>] = [:]
    for file in files { words[file.module, default: []].formUnion(file.words) }
    for (module, files) in Dictionary(grouping: files.filter { $0.path.hasPrefix("Sources") }, by: \.module) {
      let others = words.filter { $0.key != module }.values.reduce(into: Set()) { $0.formUnion($1) }
      let shared = files.flatMap(\.declarations).map(\.text)
      var unused: [String] = []
      for file in files {
        for declaration in file.declarations where declaration.access == "package" {
          guard let name = declaration.name, !others.contains(name), !InterfaceTests.unspoken.contains(name) else {
            continue
          }
          let isType = name.first?.isUppercase == true
          if isType, shared.contains(where: { $0 != declaration.text && $0.contains(name) }) { continue }
          unused.append("\(file.path):\(declaration.line) \(declaration.text)")
        }
      }
      #expect(
        unused.count <= InterfaceTests.limits[module, default: 0],
        "\(unused.count) used in \(module) only:\n\(unused.sorted().joined(separator: "\n"))")
    }
  }

  @Test(arguments: ["Hierarchy", "Routing"])
  func listsEveryPublicTypeInTheTopics(module: String) throws {
    let catalogue = try String(
      contentsOfFile: Project.path("Sources/\(module)/\(module).docc/\(module).md"), encoding: .utf8)
    let types = try SourceFile.all(under: "Sources").filter { $0.module == module }.flatMap(\.declarations)
      .filter { $0.isTopLevel && $0.access == "public" }.compactMap(\.name)
    let missing = types.filter { !catalogue.contains("- ``\($0)``") && !catalogue.contains("- ``\(module)/\($0)``") }
    #expect(types.count > 10 && missing.isEmpty, "\(missing)")
  }

  @Test func findsDeclarations() {
    let file = SourceFile(
      path: "Sources/M/F.swift",
      text: """
        /// A.
        @frozen
        public enum A {
          /// B and C.
          case b, c
          case d
          public static func f(_ x: Int) { switch x { default: break } }
        }
        package final class G { package private(set) var h = 0 }
        """)
    #expect(
      file.declarations.map { "\($0.access) \($0.name ?? "-") \($0.isDocumented)" } == [
        "public A true", "public b true", "public d false", "public f false", "package G false",
      ])
    #expect(file.module == "M" && file.words.contains("h"))
  }
}

/// The declarations of a Swift file, found line by line: at most one per line.
private struct SourceFile {
  struct Declaration {
    var access: String
    /// Nil for initializers and subscripts.
    var name: String?
    var isDocumented: Bool
    var isTopLevel: Bool
    var line: Int
    var text: String
  }

  let path: String
  let declarations: [Declaration]
  let words: Set<String>

  /// The folder below `Sources` or `Tests`.
  var module: String { String(path.split(separator: "/")[1]) }

  static func all(under folder: String) throws -> [SourceFile] {
    try FileManager.default.subpathsOfDirectory(atPath: Project.path(folder)).sorted()
      .filter { $0.hasSuffix(".swift") && $0.contains("/") }
      .map { path in
        let text = try String(contentsOfFile: Project.path("\(folder)/\(path)"), encoding: .utf8)
        return SourceFile(path: "\(folder)/\(path)", text: text)
      }
  }

  init(path: String, text: String) {
    self.path = path
    words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    var declarations: [Declaration] = []
    var isDocumented = false
    /// The nesting depth of braces, and that of the public enum whose cases are being read.
    var (depth, enumDepth) = (0, Int?.none)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.drop { $0 == " " }
      defer {
        if !trimmed.hasPrefix("//") {
          depth += line.count { $0 == "{" } - line.count { $0 == "}" }
          if let enclosing = enumDepth, depth <= enclosing { enumDepth = nil }
        }
        isDocumented = trimmed.hasPrefix("///") || (isDocumented && trimmed.hasPrefix("@"))
      }
      guard !trimmed.hasPrefix("//"), let found = SourceFile.declaration(trimmed, inEnum: enumDepth == depth - 1) else {
        continue
      }
      declarations.append(
        Declaration(
          access: found.access, name: found.name, isDocumented: isDocumented,
          isTopLevel: line.first != " ", line: index + 1, text: String(trimmed)))
      if found.kind == "enum", found.access == "public" { enumDepth = depth }
    }
    self.declarations = declarations
  }

  private static func declaration(
    _ line: Substring, inEnum: Bool
  ) -> (access: String, kind: String, name: String?)? {
    var words = line.split { " (:{=<".contains($0) }.map(String.init)
    while let first = words.first, first.hasPrefix("@") { words.removeFirst() }
    if inEnum, words.first == "case", words.count > 1 {
      return ("public", "case", words[1].trimmingCharacters(in: CharacterSet(charactersIn: "`,")))
    }
    guard let access = words.first(where: { ["public", "package"].contains($0) }), words.first != "import" else {
      return nil
    }
    let kinds = ["var", "let", "func", "init", "struct", "class", "enum", "protocol", "subscript", "typealias"]
    guard let at = words.firstIndex(where: kinds.contains), at < 5 else { return nil }
    let kind = words[at]
    let isNamed = kind != "init" && kind != "subscript" && at + 1 < words.count
    let name = isNamed ? words[at + 1].trimmingCharacters(in: CharacterSet(charactersIn: "`")) : nil
    return (access, kind, name.flatMap { $0.first?.isLetter == true ? $0 : nil })
  }
}
