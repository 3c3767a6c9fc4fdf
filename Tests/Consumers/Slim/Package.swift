// swift-tools-version: 6.2
import PackageDescription

// An app on URLSession: no trait, so nothing but swift-http-types may be checked out. scripts/consumers proves it.
let package = Package(
    name: "slim",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "tarmac", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Slim",
            dependencies: [
                .product(name: "Tarmac", package: "tarmac"),
                .product(name: "TarmacURLSession", package: "tarmac"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
