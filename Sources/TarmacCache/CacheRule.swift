import TarmacCore

/// A rule that says whether the client stores responses, for how long, and who decides. See ``Options/cache``.
///
/// ```swift
/// $0.cache = .http                                            // the server decides (RFC 9111)
/// $0.cache = .ttl(.seconds(180), version: 2)                  // the app decides
/// $0.cache = .ttl(.seconds(60)) { $0.ignoredArguments = ["nonce"]; $0.overridesServer = true }
/// try await client.send(Feed()) { $0.cache = .reload }        // for this call only
/// ```
/// ``reload``, ``revalidate``, ``onlyCached`` and ``cachedElseLoad`` change how a call uses the rule of the layers
/// below. If no layer below turns the cache on, they use ``http``.
public struct CacheRule: Sendable, Equatable, CustomStringConvertible {
    enum Base: Sendable, Equatable {
        /// The rule of the layers below.
        case inherited
        case off
        case http
        case timed(timeToLive: Duration, version: Int)
    }
    /// How a call uses stored responses.
    enum Use: String, Sendable {
        case standard, reload, revalidate, onlyCached, cachedElseLoad
        /// Like `onlyCached`, but also uses a stale response.
        case peek
    }
    var base: Base
    var use = Use.standard
    /// Whether a failure of the server is thrown although a stale response could answer: the caller has that one already.
    var needsServer = false

    /// The time after its expiry during which a stored response is used if the server cannot be reached (RFC 9111
    /// §4.2.4). Default: a day. `.zero` turns this off.
    ///
    /// A response with `must-revalidate` or `no-cache` is never used this way.
    public var staleIfDisconnected: Duration = .seconds(86_400)
    /// Whether a rule made by ``ttl(_:version:configure:)`` applies even if the server says `no-store` or `no-cache`,
    /// or states a shorter time. Default: `false`.
    public var overridesServer = false
    /// The arguments that a rule made by ``ttl(_:version:configure:)`` ignores, such as a time stamp. Default: none.
    ///
    /// An argument is a query item, or a field of a form or of a JSON object.
    public var ignoredArguments: Set<String> = []

    /// Stores nothing and uses nothing that is stored. If the call changes a resource, other calls do not use the
    /// stored response of that resource either (RFC 9111 §4.4).
    public static let off = CacheRule(base: .off)

    /// Follows RFC 9111, as a private cache.
    public static let http = CacheRule(base: .http)

    /// Returns a rule that follows RFC 9111, changed by `configure`.
    public static func http(_ configure: (inout CacheRule) -> Void) -> CacheRule {
        var rule = CacheRule.http
        configure(&rule)
        return rule
    }

    /// Returns a rule that stores successful responses to GET, HEAD, POST and QUERY for a time that the app sets.
    ///
    /// The key includes the body and its arguments. Requests with other methods change something and are always sent.
    /// `no-store`, `no-cache` and shorter times from the server are respected unless ``overridesServer`` is set.
    ///
    /// - Parameters:
    ///   - timeToLive: the time, counted from the arrival of a response. More than zero and at most a century: with any
    ///     other, the call throws `TarmacError(.invalidOption)` and sends nothing.
    ///   - version: the version of the app's model of the response. Responses stored under another version are not
    ///     used.
    ///   - configure: changes the other properties of the rule.
    public static func ttl(_ timeToLive: Duration, version: Int = 0, configure: (inout CacheRule) -> Void = { _ in }) -> CacheRule {
        var rule = CacheRule(base: .timed(timeToLive: timeToLive, version: version))
        configure(&rule)
        return rule
    }

    /// Asks the server without looking at the stored response, and stores the new one.
    public static let reload = CacheRule(base: .inherited, use: .reload)
    /// Asks the server whether the stored response is still valid. A response that the server marked `immutable` is
    /// used without asking while it is fresh (RFC 8246).
    public static let revalidate = CacheRule(base: .inherited, use: .revalidate)
    /// Uses a fresh stored response, and otherwise throws `TarmacError(.notCached)`. Nothing is sent.
    public static let onlyCached = CacheRule(base: .inherited, use: .onlyCached)
    /// Uses the stored response at any age, unless the server forbids that. Asks the server only if nothing is stored.
    public static let cachedElseLoad = CacheRule(base: .inherited, use: .cachedElseLoad)

    init(base: Base, use: Use = .standard) {
        self.base = base
        self.use = use
    }

    /// Whether calls use the cache.
    var isOn: Bool { base != .off }
    /// Whether the call may not send a request.
    var isSilent: Bool { use == .onlyCached || use == .peek }
    /// Whether the app sets the time.
    var isTimed: Bool { if case .timed = base { true } else { false } }
    var timeToLive: Double? { if case .timed(let time, _) = base { time / .seconds(1) } else { nil } }
    var version: Int { if case .timed(_, let version) = base { version } else { 0 } }

    /// Returns this rule applied to the rule of a lower layer, if this rule says only how to use stored responses.
    func over(_ lower: CacheRule) -> CacheRule {
        guard base == .inherited else { return self }
        var rule = lower.isOn && lower.base != .inherited ? lower : .http
        (rule.use, rule.needsServer) = (use, needsServer)
        return rule
    }

    /// The reason why the rule is invalid, or `nil`.
    var fault: String? {
        if case .timed(let time, _) = base, time <= .zero || time > .seconds(3_155_695_200 as Int64) {
            return "a time to live is more than nothing and at most a century"
        }
        return staleIfDisconnected < .zero ? "staleIfDisconnected is less than nothing" : nil
    }

    public var description: String {
        let kept: String? =
            switch base {
            case .inherited: nil
            case .off: "off"
            case .http: "http"
            case .timed(let time, let version): "for \(time.shown)\(version == 0 ? "" : ", version \(version)")"
            }
        return [use == .standard ? nil : use.rawValue, kept].compactMap(\.self).joined(separator: ", ")
    }
}
