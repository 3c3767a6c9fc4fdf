// swift-tools-version: 6.2
import PackageDescription

// A simulator starts no processes: CI leaves the executables there out, and the tests that start some.
let isForSimulator = Context.environment["TARMAC_SIMULATOR"] != nil

// Apple's privacy manifest. Elsewhere it would bring code that finds the resource, and with it Foundation.
#if canImport(Darwin)
let privacyManifest = (exclude: [String](), resources: [Resource.copy("PrivacyInfo.xcprivacy")])
#else
let privacyManifest = (exclude: ["PrivacyInfo.xcprivacy"], resources: [Resource]())
#endif

// Every dependency but swift-http-types hangs on a trait, so that an app on `Tarmac` and
// `TarmacURLSession` checks out nothing else. No trait is on by default; `scripts/` turn all on.
let package = Package(
    name: "tarmac",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Tarmac", targets: ["Tarmac"]),
        .library(name: "TarmacCore", targets: ["TarmacCore"]),
        .library(name: "TarmacReform", targets: ["TarmacReform"]),
        .library(name: "TarmacFormats", targets: ["TarmacFormats"]),
        .library(name: "TarmacSigning", targets: ["TarmacSigning"]),
        .library(name: "TarmacResilience", targets: ["TarmacResilience"]),
        .library(name: "TarmacTraffic", targets: ["TarmacTraffic"]),
        .library(name: "TarmacAuth", targets: ["TarmacAuth"]),
        .library(name: "TarmacCache", targets: ["TarmacCache"]),
        .library(name: "TarmacTransfer", targets: ["TarmacTransfer"]),
        .library(name: "TarmacResumableUpload", targets: ["TarmacResumableUpload"]),
        .library(name: "TarmacStreams", targets: ["TarmacStreams"]),
        .library(name: "TarmacPresentation", targets: ["TarmacPresentation"]),
        .library(name: "TarmacLog", targets: ["TarmacLog"]),
        .library(name: "TarmacCallLog", targets: ["TarmacCallLog"]),
        .library(name: "TarmacHAR", targets: ["TarmacHAR"]),
        .library(name: "TarmacGroups", targets: ["TarmacGroups"]),
        .library(name: "TarmacOutbox", targets: ["TarmacOutbox"]),
        .library(name: "TarmacJSON", targets: ["TarmacJSON"]),
        .library(name: "TarmacURLSession", targets: ["TarmacURLSession"]),
        .library(name: "TarmacBackground", targets: ["TarmacBackground"]),
        .library(name: "TarmacNIO", targets: ["TarmacNIO"]),
        .library(name: "TarmacCrypto", targets: ["TarmacCrypto"]),
        .library(name: "TarmacInspector", targets: ["TarmacInspector"]),
        .library(name: "TarmacSQLite", targets: ["TarmacSQLite"]),
        .library(name: "TarmacRedis", targets: ["TarmacRedis"]),
        .library(name: "TarmacTelemetry", targets: ["TarmacTelemetry"]),
        .library(name: "TarmacXML", targets: ["TarmacXML"]),
        .library(name: "TarmacCookies", targets: ["TarmacCookies"]),
        .library(name: "TarmacTesting", targets: ["TarmacTesting"]),
        .executable(name: "tarmac", targets: ["TarmacCLI"]),
        .executable(name: "tarmac-bench", targets: ["TarmacBench"]),
    ],
    traits: [
        .trait(name: "NIO", description: "TarmacNIO: the transport over AsyncHTTPClient."),
        .trait(name: "Crypto", description: "TarmacCrypto: encryption and signing over swift-crypto."),
        .trait(name: "SQLite", description: "TarmacSQLite: durable stores over GRDB."),
        .trait(name: "Redis", description: "TarmacRedis: stores that a fleet shares, over the system's hiredis."),
        .trait(name: "Inspector", description: "TarmacInspector: the page of the call log over FlyingFox."),
        .trait(name: "Telemetry", description: "TarmacTelemetry: logs, metrics and traces over the libraries of Swift on servers."),
        .trait(name: "MockServer", description: "TarmacTesting: a mock server over FlyingFox."),
        .trait(
            name: "Tools",
            description: "The executables tarmac and tarmac-bench, and this package's own tests.",
            enabledTraits: ["NIO", "Crypto", "SQLite", "Redis", "Inspector", "Telemetry", "MockServer"]),
        .default(enabledTraits: isForSimulator ? ["Tools"] : []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.33.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.92.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.36.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.26.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
    ],
    targets: [
        // Neither `pkgConfig` nor `.brew`: zlib is in every Apple SDK, and a Mac's own would be linked into simulator builds.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        // Without `pkgConfig` too: Debian's file has a flag that SwiftPM refuses with a warning.
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
        .target(name: "TarmacMasking"),
        .target(name: "TarmacDigest"),
        .target(name: "TarmacJSON", dependencies: ["TarmacMasking"]),
        // Messages and what they are made of, without a call.
        .target(
            name: "TarmacHTTP",
            dependencies: ["TarmacMasking", "TarmacDigest", "TarmacJSON", "CZlib", .product(name: "HTTPTypes", package: "swift-http-types")]),
        .target(
            name: "TarmacCore",
            dependencies: ["TarmacHTTP", "TarmacMasking", "TarmacDigest", "TarmacJSON", "CZlib", .product(name: "HTTPTypes", package: "swift-http-types")],
            exclude: privacyManifest.exclude, resources: privacyManifest.resources),
        // What several rooms need and the kernel does not: values of header fields, private files.
        .target(name: "TarmacSupport", dependencies: ["TarmacCore", .product(name: "HTTPTypes", package: "swift-http-types")]),
        // The rooms: each stands on the kernel, and on another room only where it says so here.
        .room("TarmacReform"),
        .room("TarmacFormats"),
        .room("TarmacLog"),
        .room("TarmacCallLog", needs: ["TarmacLog"]),
        .room("TarmacHAR", needs: ["TarmacCallLog"]),
        .room("TarmacSigning"),
        .room("TarmacResilience"),
        .room("TarmacTraffic", needs: ["TarmacResilience"]),
        .room("TarmacAuth"),
        .room("TarmacCache", needs: ["CZlib", "TarmacResilience"]),
        .room("TarmacTransfer", needs: ["CZlib", "TarmacResilience"]),
        .room("TarmacResumableUpload", needs: ["TarmacTransfer"]),
        .room("TarmacStreams", needs: ["TarmacResilience"]),
        .room("TarmacPresentation"),
        .room("TarmacGroups", needs: ["TarmacPresentation"]),
        .room("TarmacOutbox", needs: ["TarmacResilience", "TarmacResumableUpload", "TarmacTransfer"]),
        // The everyday rooms under one name.
        .target(
            name: "Tarmac",
            dependencies: [
                "TarmacAuth", "TarmacCache", "TarmacCore", "TarmacHTTP", "TarmacGroups", "TarmacLog", "TarmacPresentation", "TarmacJSON", "TarmacReform",
                "TarmacResilience", "TarmacSupport", "TarmacTransfer",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // What the transports share: the proxies that the environment names, the check of pins.
        .target(name: "TarmacConnection", dependencies: ["TarmacCore", "TarmacDigest"]),
        // Finds the addresses of hosts in place of the system, for a transport that connects to addresses.
        .target(name: "TarmacResolver", dependencies: ["TarmacCore", "TarmacJSON", .product(name: "HTTPTypes", package: "swift-http-types")]),
        .target(
            name: "TarmacURLSession",
            dependencies: [
                "TarmacCore", "TarmacConnection", "TarmacDigest", "TarmacSupport", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // Transfers that outlive the app, which Apple's platforms alone have, and a queue for those of any transport. The decisions are built
        // and tested everywhere. Apart, because TarmacURLSession would link TarmacTransfer and TarmacResilience into every app.
        .target(
            name: "TarmacBackground",
            dependencies: [
                "TarmacCore", "TarmacSupport", "TarmacTransfer", "TarmacURLSession", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "TarmacNIO",
            dependencies: [
                "TarmacCore", "TarmacConnection", "TarmacDigest", "TarmacResolver", "TarmacSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .nio("AsyncHTTPClient", "async-http-client"),
                .nio("NIOCore", "swift-nio"),
                .nio("NIOPosix", "swift-nio"),
                .nio("NIOHTTP1", "swift-nio"),
                .nio("NIOTLS", "swift-nio"),
                .nio("NIOSSL", "swift-nio-ssl"),
                .nio("NIOHTTP2", "swift-nio-http2"),
                .nio("NIOHPACK", "swift-nio-http2"),
            ]),
        // Foundation's XML parser links libxml2 on Linux, so it is kept out of `Tarmac`.
        .target(name: "TarmacXML", dependencies: ["TarmacCore", "TarmacFormats"]),
        .target(name: "TarmacCookies", dependencies: ["TarmacCore", "TarmacSupport"]),
        .target(
            name: "TarmacCrypto",
            dependencies: [
                "TarmacCore", "TarmacSigning", "TarmacTransfer",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .crypto("Crypto", "swift-crypto"),
                .crypto("RawStructuredFieldValues", "swift-http-structured-headers"),
            ]),
        .target(
            name: "TarmacSQLite",
            dependencies: [
                "TarmacCore", "TarmacCache", "TarmacCookies", "TarmacOutbox", "TarmacSupport", "TarmacTransfer",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .sqlite("GRDB", "GRDB.swift"),
            ]),
        .target(
            name: "TarmacRedis",
            dependencies: [
                "TarmacCore", "TarmacAuth", "TarmacCache", "TarmacResilience", "TarmacTraffic", "TarmacDigest", "TarmacJSON", "TarmacSupport",
                .target(name: "CHiredis", condition: .when(platforms: [.linux], traits: ["Redis"])),
            ]),
        .target(
            name: "TarmacInspector",
            dependencies: [
                "TarmacCore", "TarmacJSON", "TarmacCallLog", "TarmacHAR",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Inspector"])),
            ]),
        .target(
            name: "TarmacTelemetry",
            dependencies: [
                "TarmacCore", "TarmacMasking", "TarmacResilience", "TarmacSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .telemetry("Logging", "swift-log"),
                .telemetry("CoreMetrics", "swift-metrics"),
                .telemetry("Tracing", "swift-distributed-tracing"),
                .telemetry("ServiceLifecycle", "swift-service-lifecycle"),
                .telemetry("Configuration", "swift-configuration"),
            ]),
        .target(
            name: "TarmacTesting",
            dependencies: [
                "TarmacCore", "TarmacCache", "TarmacOutbox", "TarmacTransfer", "TarmacJSON", "TarmacMasking",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["MockServer"])),
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["MockServer"])),
            ]),
        .executableTarget(
            name: "TarmacCLI",
            dependencies: [
                "Tarmac", "TarmacCallLog", "TarmacHAR", "TarmacOutbox", "TarmacSigning", "TarmacResumableUpload", "TarmacStreams", "TarmacJSON",
                "TarmacURLSession", "TarmacNIO", "TarmacCrypto", "TarmacSQLite", "TarmacTesting", "TarmacTraffic", "TarmacInspector",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .tool("ArgumentParser", "swift-argument-parser"),
                .tool("FlyingFox", "FlyingFox"),
                .tool("FlyingSocks", "FlyingFox"),
            ]),
        .executableTarget(
            name: "TarmacBench",
            dependencies: [
                "Tarmac", "TarmacCallLog", "TarmacOutbox", "TarmacResumableUpload", "TarmacStreams", "TarmacMasking", "TarmacCookies", "TarmacJSON",
                "TarmacURLSession", "TarmacNIO", "TarmacCrypto", "TarmacSQLite", "TarmacTesting", "TarmacTraffic",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .tool("ArgumentParser", "swift-argument-parser"),
                .tool("AsyncHTTPClient", "async-http-client"),
                .tool("Crypto", "swift-crypto"),
                .tool("NIOCore", "swift-nio"),
                .tool("NIOHTTP1", "swift-nio"),
                .tool("_NIOFileSystem", "swift-nio"),
            ]),
        .testTarget(name: "TarmacMaskingTests", dependencies: ["TarmacMasking"]),
        .testTarget(name: "TarmacJSONTests", dependencies: ["TarmacJSON"]),
        .testTarget(
            name: "CLITests",
            dependencies: [
                "TarmacCLI", "Tarmac", "TarmacCallLog", "TarmacHAR", "TarmacOutbox", "TarmacResumableUpload", "TarmacStreams", "TarmacJSON", "TarmacCrypto",
                "TarmacSQLite", "TarmacTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .tool("ArgumentParser", "swift-argument-parser"),
            ]),
        .testTarget(
            name: "TarmacCryptoTests",
            dependencies: [
                "Tarmac", "TarmacSigning", "TarmacCrypto", "TarmacJSON", "TarmacTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .crypto("Crypto", "swift-crypto"),
                .crypto("RawStructuredFieldValues", "swift-http-structured-headers"),
            ]),
        .testTarget(
            name: "TarmacInspectorTests",
            dependencies: ["TarmacCore", "TarmacCallLog", "TarmacHAR", "TarmacInspector", .product(name: "HTTPTypes", package: "swift-http-types")]),
        // The process that TarmacTests kill.
        .executableTarget(name: "LogChild", dependencies: ["Tarmac", "TarmacCallLog", "TarmacTesting"], path: "Tests/LogChild"),
        // The process whose memory TarmacTests measure.
        .executableTarget(name: "CallChild", dependencies: ["Tarmac"], path: "Tests/CallChild"),
        .testTarget(
            name: "TarmacTests",
            dependencies: [
                "Tarmac", "TarmacCallLog", "TarmacHAR", "TarmacFormats", "TarmacOutbox", "TarmacSigning", "TarmacResumableUpload", "TarmacStreams",
                "TarmacCookies", "TarmacSupport", "TarmacTraffic", "TarmacJSON", "TarmacCrypto",
                "TarmacConnection", "TarmacDigest", "TarmacHTTP", "TarmacTesting", "TarmacBackground",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + (isForSimulator ? [] : ["CallChild", "LogChild"])),
        // What five network layers do, and where each is weak: scripts/seed-coverage checks that no ID is left out.
        .testTarget(
            name: "SeedTests",
            dependencies: [
                "Tarmac", "TarmacHTTP", "TarmacFormats", "TarmacSigning", "TarmacStreams", "TarmacJSON", "TarmacTesting", "TarmacURLSession", "TarmacXML",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["SeedIDs.txt", "Mutations.txt", "PendingIDs.txt"]),
        .testTarget(
            name: "TarmacCookiesTests",
            dependencies: [
                "Tarmac", "TarmacHTTP", "TarmacCookies", "TarmacTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // The processes that TarmacSQLiteTests kill.
        .executableTarget(name: "OutboxChild", dependencies: ["Tarmac", "TarmacOutbox", "TarmacSQLite", "TarmacURLSession"], path: "Tests/OutboxChild"),
        .executableTarget(
            name: "CacheChild",
            dependencies: ["Tarmac", "TarmacSQLite", "TarmacTesting", .product(name: "HTTPTypes", package: "swift-http-types")], path: "Tests/CacheChild"),
        .testTarget(
            name: "TarmacSQLiteTests",
            dependencies: [
                "CacheChild", "OutboxChild", "Tarmac", "TarmacHTTP", "TarmacOutbox", "TarmacStreams", "TarmacCookies", "TarmacSQLite", "TarmacTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .sqlite("GRDB", "GRDB.swift"),
            ]),
        // The process that TarmacBackgroundTests kill.
        .executableTarget(name: "QueueChild", dependencies: ["Tarmac", "TarmacBackground", "TarmacURLSession"], path: "Tests/QueueChild"),
        .testTarget(
            name: "TarmacBackgroundTests",
            dependencies: [
                "Tarmac", "TarmacBackground", "TarmacDigest", "TarmacHTTP", "TarmacOutbox", "TarmacSupport", "TarmacTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + (isForSimulator ? [] : ["QueueChild"])),
        // The processes of the fleet that TarmacRedisTests start.
        .executableTarget(name: "RedisChild", dependencies: ["Tarmac", "TarmacRedis", "TarmacURLSession"], path: "Tests/RedisChild"),
        .testTarget(
            name: "TarmacRedisTests",
            dependencies: [
                "RedisChild", "Tarmac", "TarmacHTTP", "TarmacSupport", "TarmacTraffic", "TarmacCrypto", "TarmacRedis", "TarmacTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "TarmacXMLTests",
            dependencies: [
                "Tarmac", "TarmacFormats", "TarmacXML", "TarmacTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "TarmacTelemetryTests",
            dependencies: [
                "Tarmac", "TarmacCallLog", "TarmacHAR", "TarmacOutbox", "TarmacStreams", "TarmacInspector", "TarmacTelemetry", "TarmacTesting",
                "TarmacHTTP", "TarmacSupport", "TarmacTraffic",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .tool("Logging", "swift-log"),
                .tool("InMemoryLogging", "swift-log"),
                .tool("CoreMetrics", "swift-metrics"),
                .tool("MetricsTestKit", "swift-metrics"),
                .tool("Tracing", "swift-distributed-tracing"),
                .tool("InMemoryTracing", "swift-distributed-tracing"),
                .tool("ServiceLifecycle", "swift-service-lifecycle"),
                .tool("Configuration", "swift-configuration"),
            ]),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "Tarmac", "TarmacSigning", "TarmacResumableUpload", "TarmacStreams", "TarmacURLSession", "TarmacNIO", "TarmacCrypto", "TarmacDigest",
                "TarmacHTTP", "TarmacOutbox", "TarmacSQLite", "TarmacSupport",
                "TarmacTelemetry", "TarmacTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .tool("Hummingbird", "hummingbird"),
                .tool("HummingbirdCore", "hummingbird"),
                .tool("HummingbirdTLS", "hummingbird"),
                .tool("HummingbirdHTTP2", "hummingbird"),
                .tool("NIOCore", "swift-nio"),
                .tool("NIOPosix", "swift-nio"),
                .tool("NIOSSL", "swift-nio-ssl"),
                .tool("NIOTLS", "swift-nio"),
                .tool("NIOHTTP1", "swift-nio"),
                .tool("NIOHTTP2", "swift-nio-http2"),
                .tool("NIOHPACK", "swift-nio-http2"),
                .tool("Logging", "swift-log"),
                .tool("InMemoryLogging", "swift-log"),
                .tool("MetricsTestKit", "swift-metrics"),
                .tool("Tracing", "swift-distributed-tracing"),
                .tool("InMemoryTracing", "swift-distributed-tracing"),
                .tool("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "TarmacResolverTests",
            dependencies: [
                "Tarmac", "TarmacResolver", "TarmacNIO", "TarmacURLSession", "TarmacTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .tool("NIOCore", "swift-nio"),
                .tool("NIOPosix", "swift-nio"),
                .tool("NIOSSL", "swift-nio-ssl"),
                .tool("NIOHTTP1", "swift-nio"),
                .tool("NIOHTTP2", "swift-nio-http2"),
            ]),
        .testTarget(
            name: "InteropTests",
            dependencies: [
                "Tarmac", "TarmacStreams", "TarmacJSON", "TarmacURLSession", "TarmacNIO",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

if isForSimulator {
    let starters: Set = [
        "TarmacCLI", "TarmacBench", "OutboxChild", "CacheChild", "RedisChild", "CallChild", "LogChild", "QueueChild", "CLITests",
        "TarmacSQLiteTests", "TarmacRedisTests", "InteropTests",
    ]
    package.targets.removeAll { starters.contains($0.name) }
    package.products.removeAll { ["tarmac", "tarmac-bench"].contains($0.name) }
}

for target in package.targets where target.type != .system {
    // Each target of Sources has a page for its owners.
    if target.type != .test, target.path == nil { target.exclude.append("README.md") }
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    // Tests take twice as long when these are not optimized; to optimize the others would take longer than it saves. Only scripts set the
    // variable: a package with such flags cannot be a dependency.
    if Context.environment["TARMAC_OPTIMIZES"] != nil {
        let optimized = ["TarmacJSON", "TarmacMasking", "TarmacDigest", "TarmacHTTP", "TarmacCore", "TarmacJSONTests", "TarmacMaskingTests"]
        if optimized.contains(target.name) {
            let flags = ["-O", "-wmo", "-disable-batch-mode", "-num-threads", "2", "-assert-config", "Debug"]
            target.swiftSettings?.append(.unsafeFlags(flags, .when(configuration: .debug)))
        }
    }
    // Hostile bytes are read here: the compiler names every unsafe construct that is not marked as one.
    if target.name == "TarmacJSON" { target.swiftSettings?.append(.strictMemorySafety()) }
}

extension Target {
    /// A room: a target over the kernel.
    ///
    /// - Parameter more: what it stands on besides, such as another room.
    static func room(_ name: String, needs more: [Target.Dependency] = []) -> Target {
        let kernel: [Target.Dependency] = [
            "TarmacCore", "TarmacSupport", "TarmacJSON", "TarmacMasking", "TarmacDigest", .product(name: "HTTPTypes", package: "swift-http-types"),
        ]
        return .target(name: name, dependencies: kernel + more)
    }
}

extension Target.Dependency {
    static func nio(_ product: String, _ package: String) -> Self {
        .product(name: product, package: package, condition: .when(traits: ["NIO"]))
    }

    static func crypto(_ product: String, _ package: String) -> Self {
        .product(name: product, package: package, condition: .when(traits: ["Crypto"]))
    }

    static func sqlite(_ product: String, _ package: String) -> Self {
        .product(name: product, package: package, condition: .when(traits: ["SQLite"]))
    }

    static func telemetry(_ product: String, _ package: String) -> Self {
        .product(name: product, package: package, condition: .when(traits: ["Telemetry"]))
    }

    static func tool(_ product: String, _ package: String) -> Self {
        .product(name: product, package: package, condition: .when(traits: ["Tools"]))
    }
}
