import Foundation
import TestMaps
import Testing

/// No room of the house uses one above it: ARCHITECTURE.md, "Rooms and arrows".
struct HouseTests {
  private static let mayUse: [String: Set<String>] = [
    "Geography": ["CGeos"], "Hierarchy": [], "Settings": [],
    "StreetNetwork": ["Geography", "Hierarchy", "Settings", "COsmium", "CCrypto"],
    "Routing": ["Geography", "Hierarchy", "Settings", "StreetNetwork"],
    "Results": ["Geography", "CSQLite", "CZlib"],
    "Jobs": ["Routing", "StreetNetwork", "Hierarchy", "Geography", "Results", "Settings", "CZip", "CZlib"],
    "Reports": ["Geography", "Results"],
    "OdometerCommand": ["Jobs", "Reports", "Results", "Routing", "StreetNetwork", "Settings", "Geography"],
    "odometer": ["OdometerCommand"],
  ]
  private static let toolchain: Set<String> = ["Foundation", "Dispatch", "Synchronization"]

  @Test func importsPointDownward() throws {
    for (room, allowed) in HouseTests.mayUse {
      let folder = Project.path("Sources/\(room)")
      let files = FileManager.default.enumerator(atPath: folder)!.compactMap { $0 as? String }
        .filter { $0.hasSuffix(".swift") }
      #expect(!files.isEmpty)
      for file in files {
        let text = String(decoding: FileManager.default.contents(atPath: "\(folder)/\(file)")!, as: UTF8.self)
        for line in text.split(separator: "\n") where line.hasPrefix("import ") {
          let module = line.dropFirst(7).split(separator: " ").last.map(String.init)!
          #expect(allowed.union(HouseTests.toolchain).contains(module), "\(room)/\(file) imports \(module)")
        }
      }
    }
  }

  @Test func noFileIsTooLargeToOpen() throws {
    let folder = Project.path("Sources")
    for case let file as String in FileManager.default.enumerator(atPath: folder)! where file.hasSuffix(".swift") {
      let lines = FileManager.default.contents(atPath: "\(folder)/\(file)")!.count { $0 == 10 }
      #expect(lines <= 350, "\(file) has \(lines) lines")
    }
  }
}
