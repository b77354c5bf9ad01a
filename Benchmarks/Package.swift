// swift-tools-version: 6.2
import PackageDescription

// A separate package that uses the products as external users do.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "odometer", path: "..")],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        .product(name: "Routing", package: "odometer"), .product(name: "Hierarchy", package: "odometer"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ]
)
