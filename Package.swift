// swift-tools-version: 6.2
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// Tests that mostly wait for the program: optimizing them takes longer than it saves.
let unoptimized = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
  name: "odometer",
  products: [
    .executable(name: "odometer", targets: ["odometer"]),
    .library(name: "Routing", targets: ["Routing", "StreetNetwork", "Geography"]),
    .library(name: "TransitNetwork", targets: ["TransitNetwork"]),
    // Files of speeds for Routing, which itself needs neither SQLite nor libzip.
    .library(name: "Input", targets: ["Input"]),
    .library(name: "Hierarchy", targets: ["Hierarchy"]),
    // For libodometer.so, which `make wheel` links with Swift's own libraries inside.
    .library(name: "OdometerLibrary", type: .static, targets: ["OdometerLibrary"]),
  ],
  targets: [
    // Bindings to C and C++ libraries: no logic.
    .target(
      name: "CUnpack",
      cSettings: [.treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("z"), .linkedLibrary("bz2")]),
    .target(
      name: "COsmium", dependencies: ["CUnpack"],
      cxxSettings: [.define("OSMIUM_WITH_LZ4"), .treatAllWarnings(as: .error)],
      linkerSettings: [
        .linkedLibrary("z"), .linkedLibrary("expat"), .linkedLibrary("lz4"), .linkedLibrary("deflate"),
      ]),
    .target(name: "CGDAL"),  // functions of a library that is loaded at run time
    .target(name: "CPage"),  // the scripts and styles of pages, embedded by C
    .target(name: "CTexts"),  // countries, profiles and phrases, embedded by C
    .target(name: "COdometer"),  // declarations that Swift implements for other languages
    .target(name: "CPrefetch"),  // an instruction that Swift cannot express
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CGeos", pkgConfig: "geos", providers: [.apt(["libgeos-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // The modules, from the bottom up. None uses a module that follows it in this list.
    .target(name: "Geography", dependencies: ["CGeos"], swiftSettings: strict),
    .target(name: "Hierarchy", dependencies: ["CPrefetch"], swiftSettings: strict),
    .target(name: "Transit", dependencies: ["Hierarchy"], swiftSettings: strict),
    .target(name: "Settings", dependencies: ["Geography", "CTexts"], swiftSettings: strict),
    .target(name: "OpeningHours", dependencies: ["Geography"], swiftSettings: strict),
    .target(
      name: "StreetNetwork",
      dependencies: [
        "Geography", "Hierarchy", "Settings", "OpeningHours", "COsmium", "CCrypto", "CGDAL",
      ],
      swiftSettings: strict),
    .target(
      name: "Routing",
      dependencies: ["Geography", "StreetNetwork", "Hierarchy", "Transit", "Settings", "OpeningHours"],
      swiftSettings: strict),
    .target(
      name: "Tables", dependencies: ["Geography", "OpeningHours", "CSQLite", "CDeflate", "CUnpack", "CZlib"],
      swiftSettings: strict),
    .target(
      name: "Input",
      dependencies: [
        "Routing", "StreetNetwork", "Hierarchy", "Geography", "Tables", "Settings", "OpeningHours", "CExpat", "CUnpack",
        "CZip",
      ],
      swiftSettings: strict),
    .target(
      name: "TransitNetwork",
      dependencies: [
        "Input", "Routing", "StreetNetwork", "Transit", "Hierarchy", "Geography", "Settings", "Tables", "OpeningHours",
      ],
      swiftSettings: strict),
    .target(
      name: "Jobs",
      dependencies: [
        "TransitNetwork", "Input", "Routing", "StreetNetwork", "Transit", "Hierarchy", "Geography", "Tables",
        "Settings", "OpeningHours", "CZlib",
      ],
      swiftSettings: strict),
    .target(
      name: "Calibration",
      dependencies: [
        "Jobs", "Input", "Routing", "StreetNetwork", "OpeningHours", "Hierarchy", "Geography", "Tables",
      ],
      swiftSettings: strict),
    .target(
      name: "Bench",
      dependencies: [
        "Jobs", "TransitNetwork", "Input", "Routing", "StreetNetwork", "Transit", "OpeningHours", "Hierarchy",
        "Geography",
      ],
      swiftSettings: strict),
    .target(
      name: "Reports", dependencies: ["Geography", "Jobs", "Tables", "OpeningHours", "CPage"],
      exclude: ["Page"],
      swiftSettings: strict),
    .target(
      name: "OdometerCommand",
      dependencies: [
        "Bench", "Calibration", "Jobs", "Reports", "TransitNetwork", "Input", "Tables", "Routing", "StreetNetwork",
        "Settings", "Geography",
      ],
      swiftSettings: strict),
    .target(
      name: "OdometerLibrary",
      dependencies: [
        "OdometerCommand", "Jobs", "Tables", "Routing", "StreetNetwork", "Hierarchy", "Geography", "COdometer",
      ],
      swiftSettings: strict),
    .executableTarget(name: "odometer", dependencies: ["OdometerCommand"], swiftSettings: strict),

    // Tests: TestMaps is shared by all.
    .target(
      name: "TestMaps", dependencies: ["Geography", "Hierarchy", "StreetNetwork", "Routing", "CSQLite", "CZlib"],
      path: "Tests/TestMaps",
      swiftSettings: strict),
    .target(
      name: "Fuzzing",
      dependencies: [
        "Geography", "Calibration", "Jobs", "TransitNetwork", "Input", "OpeningHours", "Routing", "StreetNetwork",
        "TestMaps",
      ],
      path: "Tests/Fuzzing",
      swiftSettings: strict),
    .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing"], swiftSettings: unoptimized),
    .testTarget(name: "TestMapsTests", dependencies: ["TestMaps"], swiftSettings: unoptimized),
    .testTarget(name: "GeographyTests", dependencies: ["Geography", "TestMaps"], swiftSettings: strict),
    .testTarget(
      name: "HierarchyTests", dependencies: ["Hierarchy", "StreetNetwork", "TestMaps"], swiftSettings: strict),
    .testTarget(name: "TransitTests", dependencies: ["Transit", "Hierarchy", "Geography"], swiftSettings: strict),
    .testTarget(
      name: "SettingsTests", dependencies: ["Settings", "Geography", "CTexts", "TestMaps"], swiftSettings: unoptimized),
    .testTarget(
      name: "StreetNetworkTests",
      dependencies: ["StreetNetwork", "OpeningHours", "Hierarchy", "Settings", "Routing", "COsmium", "TestMaps"],
      swiftSettings: unoptimized),
    .testTarget(name: "RoutingTests", dependencies: ["Routing", "TestMaps"], swiftSettings: unoptimized),
    .testTarget(
      name: "ScenarioTests", dependencies: ["Routing", "StreetNetwork", "OpeningHours", "TestMaps"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "TablesTests", dependencies: ["Tables", "Geography", "CZlib", "TestMaps"], swiftSettings: unoptimized),
    .testTarget(
      name: "ReportsTests", dependencies: ["Reports", "CPage", "Jobs", "Tables", "Geography", "TestMaps"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "JobsTests",
      dependencies: [
        "Jobs", "TransitNetwork", "Calibration", "Input", "Tables", "Settings", "Routing", "StreetNetwork",
        "OpeningHours", "Transit", "TestMaps",
      ],
      swiftSettings: unoptimized),
    .testTarget(
      name: "OdometerCommandTests", dependencies: ["OdometerCommand", "Input", "Settings", "TestMaps"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "LibraryTests",
      dependencies: ["OdometerLibrary", "COdometer", "Input", "Routing", "StreetNetwork", "Geography", "TestMaps"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "CommandTests", dependencies: ["TestMaps"],
      exclude: ["as_unit.py", "explore.py", "measure.js", "read_all.py", "read_all.R", "read_qgis.py"],
      swiftSettings: unoptimized),
  ],
  cxxLanguageStandard: .cxx17
)

// libFuzzer has its own main function, so this is linked only on request (make fuzz).
if ProcessInfo.processInfo.environment["ODOMETER_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(name: "fuzzer", dependencies: ["Fuzzing"], path: "Tests/Fuzzer", swiftSettings: strict))
}
