// swift-tools-version: 6.2
import PackageDescription

// The service of Documentation/Servers.md, which shows the regions of its files that `// page: NAME` and `// page end` enclose.
// `scripts/examples Server` builds it, calls it and ends it.
let package = Package(
    name: "server",
    // page: package
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tarmac", path: "../..", traits: ["NIO", "Telemetry"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "Server",
            dependencies: [
                .product(name: "Tarmac", package: "tarmac"), .product(name: "TarmacNIO", package: "tarmac"),
                .product(name: "TarmacTelemetry", package: "tarmac"), .product(name: "TarmacTraffic", package: "tarmac"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Configuration", package: "swift-configuration"),
            ])
    ],
    // page end
    swiftLanguageModes: [.v6]
)
