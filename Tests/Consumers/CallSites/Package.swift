// swift-tools-version: 6.2
import PackageDescription

// The call sites of the README in modules with the settings apps have: none, those of a new Xcode project, and
// nonisolated async functions that stay with their caller. `Fly` runs all three over a stub.
let products: [Target.Dependency] = ["Tarmac", "TarmacStreams"].map { .product(name: $0, package: "tarmac") }
let package = Package(
    name: "call-sites",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "tarmac", path: "../../..")],
    targets: [
        .target(name: "Plain", dependencies: products),
        .target(
            name: "MainActorDefault", dependencies: products,
            swiftSettings: [
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        .target(
            name: "Nonsending", dependencies: products,
            swiftSettings: [
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]),
        .executableTarget(
            name: "Fly",
            dependencies: [
                "Plain", "MainActorDefault", "Nonsending",
                .product(name: "Tarmac", package: "tarmac"),
                .product(name: "TarmacTesting", package: "tarmac"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
