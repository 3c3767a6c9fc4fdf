// swift-tools-version: 6.2
import PackageDescription

// The smallest program that uses Tarmac: one decoded GET over URLSession. scripts/size measures it.
let package = Package(
    name: "size",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "tarmac", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Size",
            dependencies: [
                .product(name: "Tarmac", package: "tarmac"),
                .product(name: "TarmacURLSession", package: "tarmac"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
