// swift-tools-version: 6.2
import PackageDescription

// The smallest programs that use Tarmac: one decoded GET over URLSession, with the everyday rooms and with the kernel alone.
// scripts/size measures them.
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
            ]),
        .executableTarget(
            name: "SizeCore",
            dependencies: [
                .product(name: "TarmacCore", package: "tarmac"),
                .product(name: "TarmacURLSession", package: "tarmac"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
