// swift-tools-version: 6.2
import PackageDescription

// A server on AsyncHTTPClient: the trait NIO and nothing else.
let package = Package(
    name: "nio-only",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "tarmac", path: "../../..", traits: ["NIO"])],
    targets: [
        .executableTarget(
            name: "NIOOnly",
            dependencies: [
                .product(name: "Tarmac", package: "tarmac"),
                .product(name: "TarmacNIO", package: "tarmac"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
