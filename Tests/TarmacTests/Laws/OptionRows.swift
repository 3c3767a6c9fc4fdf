import HTTPTypes
import TarmacJSON
import TarmacSigning
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCache
import TarmacCallLog
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation
@testable import TarmacResilience
import TarmacStreams
import TarmacTraffic
@testable import TarmacTransfer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The four layers, lowest first.
enum Layer: Int, CaseIterable, Sendable {
    case client, service, endpoint, call

    var origin: Origin {
        switch self {
        case .client: .client
        case .service: .service("s")
        case .endpoint: .endpoint("Layered")
        case .call: .call
        }
    }
}

/// One setting: how each layer sets it, and what the layers make together.
struct OptionRow: Sendable, CustomTestStringConvertible {
    let name: String
    let set: @Sendable (inout Options, Layer) -> Void
    /// What the given layers show together, from what each shows alone, lowest first.
    var together: @Sendable ([String]) -> String = { $0.last ?? "" }

    var testDescription: String { name }

    /// A setting whose uppermost layer wins.
    static func replacing<Value: Sendable>(
        _ name: String, _ field: any WritableKeyPath<Options, Value?> & Sendable, _ values: Value...
    ) -> OptionRow {
        OptionRow(name: name) {
            $0[keyPath: field] = values[$1.rawValue]
        }
    }

    /// A switch.
    static func toggling(_ name: String, _ field: any WritableKeyPath<Options, Bool?> & Sendable) -> OptionRow {
        replacing(name, field, true, false, true, false)
    }

    /// A setting the layers add up to.
    static func adding<Value: Collection & Sendable>(
        _ name: String, _ field: any WritableKeyPath<Options, Value> & Sendable,
        together: @escaping @Sendable ([String]) -> String = { $0.joined(separator: ", ") }, _ values: Value...
    ) -> OptionRow {
        OptionRow(
            name: name, set: { $0[keyPath: field] = values[$1.rawValue] }, together: together)
    }

    static let upperFirst: @Sendable ([String]) -> String = { $0.reversed().joined(separator: ", ") }

    static let all: [OptionRow] = [
        replacing("timeout", \.timeout, .seconds(1), .seconds(2), .seconds(3), .unlimited),
        replacing("connectTimeout", \.connectTimeout, .seconds(1), .seconds(2), .seconds(3), .unlimited),
        replacing("queueTimeout", \.queueTimeout, .seconds(1), .seconds(2), .seconds(3), .seconds(4)),
        replacing("idleTimeout", \.idleTimeout, .seconds(1), .seconds(2), .seconds(3), .unlimited),
        replacing("deadline", \.deadline, .seconds(11), .seconds(12), .seconds(13), .seconds(14)),
        replacing("slowCall", \.slowCall, .seconds(1), .seconds(2), .seconds(3), .unlimited),
        OptionRow(
            name: "headers", set: { $0.headers["X-\($1)"] = "1" },
            together: { $0.joined(separator: ", ") }),
        replacing("userAgent", \.userAgent, "a", "b", "c", .none),
        replacing("host", \.host, HostKind("a"), HostKind("b"), .cdn, HostKind("d")),
        replacing("failover", \.failover, .automatic, .toOrigin, .off, .toOrigin),
        replacing("retry", \.retry, .exponential(maxAttempts: 2), .never, .exponential(maxAttempts: 4), .exponential(maxAttempts: 5)),
        replacing("idempotencyKey", \.idempotencyKey, .automatic, .value("b"), .off, .automatic),
        replacing("circuitBreaker", \.circuitBreaker, .standard, .ratio(0.1), .off, .ratio(0.4)),
        replacing("hedge", \.hedge, .after(.seconds(1)), .percentile(0.9), .off, .percentile(atMost: 2)),
        toggling("waitsForConnectivity", \.waitsForConnectivity),
        replacing("rateLimit", \.rateLimit, .perSecond(1), .perSecond(2), .off, .perSecond(4)),
        replacing("subPath", \.subPath, "/a", "/b", "/c", "/d"),
        adding("urlFilters", \.urlFilters, [.filter { url, _ in url }], [.filter { url, _ in url }], [.filter { url, _ in url }], [.filter { url, _ in url }]),
        toggling("coalesces", \.coalesces),
        replacing("log", \.log, CallLog(last: 1), CallLog(last: 2, bodies: .first(.kib(1))), .off, CallLog(last: 4)),
        replacing("cache", \.cache, .http, .ttl(.seconds(1)), .off, .ttl(.seconds(4), version: 2)),
        replacing("cacheStore", \.cacheStore, .store(MemoryCacheStore()), .memory, .store(MemoryCacheStore()), .memory),
        replacing("cacheSensitiveData", \.cacheSensitiveData, "a", "b", "", "d"),
        replacing("cacheAppVersion", \.cacheAppVersion, "a", "b", "", "d"),
        replacing("cookies", \.cookies, .keeper(NoCookies()), .off, .keeper(NoCookies()), .off),
        toggling("allowsInsecureHTTP", \.allowsInsecureHTTP),
        replacing(
            "networkAccess", \.networkAccess, NetworkAccess(allowsCellular: false), NetworkAccess(allowsExpensive: false),
            NetworkAccess(allowsConstrained: false), NetworkAccess()),
        replacing(
            "query", \.query, QueryEncoder(arrays: .brackets), QueryEncoder(arrays: .pipe), QueryEncoder(nils: .keyOnly),
            QueryEncoder(sortsNames: true)),
        OptionRow(name: "bodyFormat") {
            $0.bodyFormat = $1.rawValue % 2 == 0 ? .form : .json
        },
        adding("parameters", \.parameters, together: upperFirst, ["a": 1], ["b": 2], ["c": 3], ["d": 4]),
        adding(
            "parameterTransforms", \.parameterTransforms, [Transforming { $0 }], [Transforming { $0 }], [Transforming { $0 }],
            [Transforming { $0 }]),
        OptionRow(name: "priority") {
            $0.priority = [.low, .high, .low, .high][$1.rawValue]
        },
        replacing("redirects", \.redirects, .off, .sameOriginOnly, .follow(limit: 1), .follow(limit: 2)),
        OptionRow(name: "acceptsCompression") {
            $0.acceptsCompression = $1.rawValue % 2 == 0
        },
        adding("secretNames", \.secretNames, ["a"], ["b"], ["c"], ["d"]),
        adding("shownNames", \.shownNames, ["a"], ["b"], ["c"], ["d"]),
        replacing("maximumBodySize", \.maximumBodySize, 1, 2, 3, 4),
        replacing("maximumInflatedSize", \.maximumInflatedSize, 1, 2, 3, 4),
        replacing("maximumRecordSize", \.maximumRecordSize, 1, 2, 3, 4),
        replacing("requestCompression", \.requestCompression, .gzip, .off, .gzip(minimumSize: 1), .gzip(minimumSize: 2)),
        replacing("events", \.events, .once, .reconnecting, .once { $0.endMarker = "x" }, .reconnecting { $0.delay = .seconds(1) }),
        replacing(
            "download", \.download, DownloadRule { $0.parallelRanges = 2 }, DownloadRule { $0.parallelRanges = 3 }, DownloadRule { $0.maximumSize = 1 },
            DownloadRule { $0.maximumSize = 2 }),
        replacing("resume", \.resume, .never, .automatic, .automatic { $0.maxBarrenAttempts = 1 }, .automatic { $0.maxBarrenAttempts = 2 }),
        replacing("expectedDigest", \.expectedDigest, .any, .sha256("aa"), .sha256("bb"), .sha512("cc")),
        replacing("digesters", \.digesters, .builtIn, Digesters { Digesters.builtIn.make($0) }, .builtIn, Digesters { Digesters.builtIn.make($0) }),
        replacing("transferLedger", \.transferLedger, .off, .folder("/tmp/a"), .off, .folder("/tmp/b")),
        replacing("transferKey", \.transferKey, "a", "b", "c", "d"),
        replacing("acceptableStatus", \.acceptableStatus, .any, .success, .init(200...201), .init([204])),
        replacing("acceptableContentTypes", \.acceptableContentTypes, .any, .automatic, .lenientJSON, .only("a/b")),
        replacing("envelope", \.envelope, envelope("a"), envelope("b"), .off, envelope("d")),
        replacing("encoder", \.encoder, encoder("a"), encoder("b"), .tarmac, encoder("d")),
        replacing("shape", \.shape, .string, .number, .any, ["a": .string]),
        replacing("decoder", \.decoder, decoder("a"), decoder("b"), decoder("c"), decoder("d")),
        replacing("encryption", \.encryption, .cipher(Flip()), .off, .cipher(Flip()), .off),
        replacing("signing", \.signing, .off, .signer(Counting()), .off, .signer(Counting())),
        replacing("verification", \.verification, .verifier(Echoed()), .off, .verifier(Echoed()), .off),
        adding("interceptors", \.interceptors, [passing], [passing], [passing], [passing]),
        adding("attemptInterceptors", \.attemptInterceptors, [passing], [passing], [passing], [passing]),
        adding("observers", \.observers, [EventRecorder()], [EventRecorder()], [EventRecorder()], [EventRecorder()]),
        replacing("authenticator", \.authenticator, .bearer("a"), .basic(user: "b", password: "b"), .off, .apiKey("d", header: "X-D")),
        replacing("principal", \.principal, "a", "b", "", "d"),
        adding("mapError", \.mapError, together: { "\($0.count)" }, [{ $0 }], [{ $0 }], [{ $0 }], [{ $0 }]),
        replacing("presenter", \.presenter, SilentPresenter(), .closures(), .off, .weak(SilentPresenter())),
        replacing("presentationHost", \.presentationHost, .app, .object(SilentPresenter()), .owner, .app),
        OptionRow(name: "showsLoading") {
            $0.showsLoading = $1.rawValue % 2 == 0
        },
        OptionRow(name: "presentsErrors") {
            $0.presentsErrors = $1.rawValue % 2 == 0
        },
        adding("hooks", \.hooks, [CallHooks("a")], [CallHooks("b")], [CallHooks("c")], [.onMainActor("d")]),
        adding("tags", \.tags, ["a"], ["b"], ["c"], ["d"]),
        OptionRow(name: "userInfo") {
            switch $1 {
            case .client: $0.userInfo[Info.A.self] = 1
            case .service: $0.userInfo[Info.B.self] = 2
            case .endpoint: $0.userInfo[Info.C.self] = 3
            case .call: $0.userInfo[Info.D.self] = 4
            }
        } together: {
            $0.joined(separator: ", ")
        },
    ]

    private static let passing = Intercepting { request, chain in try await chain.proceed(request) }
    private static func envelope(_ payload: String) -> Envelope { Envelope(success: { _ in true }, payload: payload) }
    private static func encoder(_ name: String) -> BodyEncoder { BodyEncoder(name: name) { _ in throw Foreign() } }
    private static func decoder(_ name: String) -> BodyDecoder { BodyDecoder(name: name) { _, _ in throw Foreign() } }
}

private struct NoCookies: CookieKeeper {
    func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) -> String? { nil }
    func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) {}
}

private final class SilentPresenter: Presenter {}

private enum Info {
    enum A: UserInfoKey { typealias Value = Int }
    enum B: UserInfoKey { typealias Value = Int }
    enum C: UserInfoKey { typealias Value = Int }
    enum D: UserInfoKey { typealias Value = Int }
}

/// An endpoint whose layers are set from outside.
struct Layered: Endpoint {
    typealias Value = Void
    static let route: Route = .get("/layered")
    var own: @Sendable (inout Options) -> Void = { _ in }
    var call: @Sendable (inout Options) -> Void = { _ in }
    func configure(_ options: inout Options) { own(&options) }
}
