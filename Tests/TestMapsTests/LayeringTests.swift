import Foundation
import TestMaps
import Testing

/// Modules import only the dependencies declared in Package.swift, and depend only on modules above them in its list.
struct LayeringTests {
  struct Module: Sendable, CustomTestStringConvertible {
    let name: String
    let dependencies: Set<String>
    /// The targets above it in the list.
    let lower: Set<String>
    var testDescription: String { name }
  }

  /// The modules with Swift sources, as declared in Package.swift.
  static let modules: [Module] = {
    let text = String(
      decoding: FileManager.default.contents(atPath: Project.path("Package.swift")) ?? Data(), as: UTF8.self)
    let target = /\.(?:target|systemLibrary|executableTarget)\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?/
    var lower: Set<String> = []
    return text.matches(of: target).compactMap { match in
      let name = String(match.1)
      defer { lower.insert(name) }
      let isSwift = !LayeringTests.files(of: name).isEmpty
      let dependencies = (match.2 ?? "").split(separator: ",").map { $0.filter { $0.isLetter || $0.isNumber } }
        .filter { !$0.isEmpty }
      return isSwift ? Module(name: name, dependencies: Set(dependencies), lower: lower) : nil
    }
  }()

  private static let toolchain: Set<String> = ["Foundation", "Dispatch", "Synchronization"]

  private static func files(of module: String) -> [String] {
    let folder = Project.path("Sources/\(module)")
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
  }

  private static func text(_ file: String) -> String {
    String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
  }

  private static func source(of folder: String) -> String { files(of: folder).map(text).joined() }

  @Test func findsEveryModule() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Project.path("Sources"))
    #expect(Set(LayeringTests.modules.map(\.name)) == Set(folders.filter { !LayeringTests.files(of: $0).isEmpty }))
  }

  /// The modules are listed in the order of Package.swift.
  @Test func architectureListsEveryModule() throws {
    let text = try String(contentsOfFile: Project.path("ARCHITECTURE.md"), encoding: .utf8)
    #expect(text.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) } == LayeringTests.modules.map(\.name))
  }

  /// An article links to types of its module; the executable does not need one.
  @Test(arguments: modules.filter { $0.name != "odometer" }) func articleNamesTypesOfItsModule(module: Module) throws {
    let name = module.name
    let article = try String(contentsOfFile: Project.path("Sources/\(name)/\(name).docc/\(name).md"), encoding: .utf8)
    let paragraph = try #require(article.firstMatch(of: /(?s)\*\*Three types to know\.\*\*(.*?)\n\n/)).1
    let types = paragraph.matches(of: /`([A-Z][A-Za-z\/]+)`/).compactMap { $0.1.split(separator: "/").last }
    let source = LayeringTests.source(of: name)
    #expect(types.count >= 3)
    for type in types {
      #expect(source.contains(try Regex("(class|struct|enum|protocol) \(type)\\b")), "\(name) has no \(type)")
    }
  }

  @Test(arguments: modules) func importsOnlyItsDependencies(module: Module) {
    #expect(module.dependencies.isSubset(of: module.lower), "Package.swift lists a dependency below it")
    var imported: Set<String> = []
    for file in LayeringTests.files(of: module.name) {
      for line in LayeringTests.text(file).split(separator: "\n") where line.contains("import ") {
        guard let match = line.wholeMatch(of: /(?:@\w+ )*(?:\w+ )?import (?:\w+ )?(\w+)(?:\.\w+)*/) else { continue }
        imported.insert(String(match.1))
      }
    }
    #expect(imported.subtracting(LayeringTests.toolchain).isSubset(of: module.dependencies))
  }

  private static let kinds = ["Access", "Isochrones", "Matrix", "Routes", "Traces"]

  /// A kind's page, a folder of Reports, uses its kind's folder of Jobs and what all kinds share.
  @Test(arguments: kinds) func pagesUseDeclarationsOfTheirKind(kind: String) {
    let page = LayeringTests.source(of: "Reports/\(kind)")
    let used = Set(page.matches(of: /\bdatabase\.\w+|\b[A-Z]\w+|\b[a-z]\w+\(/).map { String($0.output) })
    let own = LayeringTests.declarations(of: kind)
    #expect(!own.isDisjoint(with: used))
    for other in LayeringTests.kinds where other != kind {
      let foreign = LayeringTests.declarations(of: other).subtracting(own).intersection(used)
      #expect(foreign.isEmpty, "the page of \(kind) uses \(foreign.sorted()) of \(other)")
    }
  }

  /// The types, queries and functions that the folders of a kind declare for the files of Reports, as they are used.
  private static func declarations(of kind: String) -> Set<String> {
    let type = /(?m)^(?:package )?(?:final )?(?:struct|class|enum|protocol|typealias) (\w+)/
    let query = /(?m)^  package (?:func|var) (\w+)/
    let function = /(?m)^  (?:static |mutating )?func (\w+\()/
    let (jobs, reports) = (source(of: "Jobs/\(kind)"), source(of: "Reports/\(kind)"))
    return Set(
      (jobs + reports).matches(of: type).map { String($0.1) } + jobs.matches(of: query).map { "database.\($0.1)" }
        + reports.matches(of: function).map { String($0.1) })
  }

  /// Foundation's messages say that something "could not be completed", but not why (`POSIXError.reason(for:)` does).
  @Test(arguments: modules) func showsNoMessagesOfFoundation(module: Module) {
    for file in LayeringTests.files(of: module.name) {
      #expect(!LayeringTests.text(file).contains("localizedDescription"), "\(file)")
    }
  }

  @Test(arguments: modules) func filesAreSmallEnoughToRead(module: Module) {
    for file in LayeringTests.files(of: module.name) {
      let lines = LayeringTests.text(file).count { $0 == "\n" }
      #expect(lines <= 600, "\(file) has \(lines) lines")
    }
  }
}
