// swift-tools-version: 6.2
import PackageDescription

// Five programs that do what the documents of five network layers show. Each takes the URL of the demo server:
// `scripts/examples` starts one and runs them all.
let tarmac: [Target.Dependency] = [.product(name: "Tarmac", package: "tarmac"), .product(name: "TarmacURLSession", package: "tarmac")]
let products: [Target.Dependency] = tarmac + ["Support", .product(name: "TarmacJSON", package: "tarmac")]
let package = Package(
    name: "seeds",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "tarmac", path: "../..")],
    targets: [
        .target(name: "Support", dependencies: tarmac, path: "Support"),
        .executableTarget(name: "QSP", dependencies: products, path: "QSP"),
        .executableTarget(name: "BQ", dependencies: products, path: "BQ"),
        .executableTarget(name: "YTK", dependencies: products, path: "YTK"),
        .executableTarget(name: "XF", dependencies: products + [.product(name: "TarmacSigning", package: "tarmac")], path: "XF"),
        .executableTarget(name: "LM", dependencies: products, path: "LM"),
    ],
    swiftLanguageModes: [.v6]
)
