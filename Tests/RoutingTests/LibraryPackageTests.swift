import Foundation
import TestMaps
import Testing

/// The statements about building in docs/library.md.
struct LibraryDocumentTests {
  /// The system libraries and headers included by the modules below Routing.
  @Test func namesEveryDebianPackage() throws {
    let document = try String(contentsOfFile: Project.path("docs/library.md"), encoding: .utf8)
    let headers = [
      "osmium/": "libosmium2-dev", "protozero/": "libprotozero-dev", "libdeflate.h": "libdeflate-dev",
      "bzlib.h": "libbz2-dev", "expat.h": "libexpat1-dev", "lz4.h": "liblz4-dev", "zlib.h": "zlib1g-dev",
      "openssl/": "libssl-dev", "geos_c.h": "libgeos-dev",
    ]
    var included: Set<String> = ["liblz4-dev", "libprotozero-dev", "libexpat1-dev"]  // needed by libosmium's headers
    for module in ["COsmium", "CUnpack", "CCrypto", "CGeos", "CGDAL", "CTexts", "CPrefetch"] {
      let folder = Project.path("Sources/\(module)")
      for file in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
        let text = (try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? ""
        for (header, package) in headers where text.contains("<\(header)") || text.contains("\"\(header)") {
          included.insert(package)
        }
      }
    }
    #expect(included.contains("libdeflate-dev") && included.contains("libosmium2-dev"))
    #expect(included.filter { !document.contains(" \($0) ") } == [])
  }
}

/// The package printed in docs/library.md, built in an empty folder next to a checkout.
@Suite(
  .enabled(if: ProcessInfo.processInfo.environment["ODOMETER_ALL"] != nil, "builds the library again: make test-all"))
struct LibraryPackageTests {
  @Test func buildsAsPrinted() throws {
    let document = try String(contentsOfFile: Project.path("docs/library.md"), encoding: .utf8)
    let blocks = document.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    let manifest = try #require(blocks.first { $0.hasPrefix("// swift-tools-version") })
    let main = try #require(blocks.first { $0.hasPrefix("// Sources/example/main.swift\n") })

    let scratch = try Scratch()
    defer { scratch.remove() }
    for folder in ["example/Sources/example", "odometer"] {
      try FileManager.default.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
    }
    // A checkout without build products or downloads: packages are identified by the name of their folder.
    for name in ["Package.swift", "Sources", "Tests", "data"] {
      try Run("/bin/cp", ["-r", Project.path(name), scratch.path("odometer/\(name)")], in: Project.root)
    }
    try manifest.write(toFile: scratch.path("example/Package.swift"), atomically: true, encoding: .utf8)
    try main.write(toFile: scratch.path("example/Sources/example/main.swift"), atomically: true, encoding: .utf8)
    let built = try Run("/usr/bin/env", ["swift", "build", "--quiet"], in: scratch.path("example"))
    #expect(built.status == 0, "\(built.output)\(built.error)")
    guard built.status == 0, Project.hasHelsinki else { return }
    // The network file is written next to the map.
    try FileManager.default.copyItem(atPath: Project.helsinki, toPath: scratch.path("helsinki.osm.pbf"))
    let run = try Run(scratch.path("example/.build/debug/example"), ["helsinki.osm.pbf"], in: scratch.folder)
    #expect(run.output.hasPrefix("Keskuskatu ") && run.output.hasSuffix("Arrive at the destination\n"), "\(run)")
  }
}
