// swift-tools-version: 6.2
import PackageDescription

// Ten programs of about twenty lines, each as somebody writes it who knows the README. The first line of each says what it
// does and what it takes; `scripts/examples Programs` flies all of them against the demo server.
let products: [Target.Dependency] = [
    .product(name: "Tarmac", package: "tarmac"), .product(name: "TarmacJSON", package: "tarmac"),
    .product(name: "TarmacStreams", package: "tarmac"), .product(name: "TarmacTraffic", package: "tarmac"),
    .product(name: "TarmacURLSession", package: "tarmac"),
]
let names = [
    "CacheWarmer", "Chat", "Crawler", "Fetch", "FileMirror", "HealthCheck", "Proxy", "TokenClient", "Uploader", "WebhookSender",
]
let package = Package(
    name: "programs",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "tarmac", path: "../..")],
    targets: names.map { .executableTarget(name: $0, dependencies: products, path: $0) },
    swiftLanguageModes: [.v6]
)
