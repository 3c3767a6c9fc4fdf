import TarmacCore

/// Whether, how long and by whose word answers are kept: ``Options/cache``.
///
/// ```swift
/// $0.cache = .http                                            // the server decides (RFC 9111)
/// $0.cache = .ttl(.seconds(180), version: 2)                  // the app decides (YTK-28)
/// $0.cache = .ttl(.seconds(60)) { $0.ignoredArguments = ["nonce"]; $0.overridesServer = true }
/// try await client.send(Feed()) { $0.cache = .reload }        // this once
/// ```
/// ``reload``, ``revalidate``, ``onlyCached`` and ``cachedElseLoad`` say how a call uses what the layers below set up; where
/// nothing does, they come with ``http``.
public struct CacheRule: Sendable, Equatable, CustomStringConvertible {
    enum Base: Sendable, Equatable {
        /// What the layers below say.
        case inherited
        case off
        case http
        case timed(timeToLive: Duration, version: Int)
    }
    /// How a call uses what is stored.
    enum Use: String, Sendable {
        case standard, reload, revalidate, onlyCached, cachedElseLoad
        /// Like `onlyCached`, however old it is.
        case peek
    }
    var base: Base
    var use = Use.standard

    /// How long after its time a stored answer is used when no connection can be had (RFC 9111 §4.2.4), unless the server
    /// forbids it with `must-revalidate` or `no-cache`. Default: a day; `.zero` for never.
    public var staleIfDisconnected: Duration = .seconds(86_400)
    /// Of ``ttl(_:version:configure:)``: whether the app's word counts although the server says `no-store`, `no-cache` or names a
    /// shorter time. Default: no.
    public var overridesServer = false
    /// Of ``ttl(_:version:configure:)``: arguments that make no difference to the answer, such as a time stamp: query items, and fields
    /// of a form or of a JSON object (YTK-29). Default: none.
    public var ignoredArguments: Set<String> = []

    /// Nothing is kept, nothing that is kept is used. What the call changes is not used by others either (RFC 9111 §4.4).
    public static let off = CacheRule(base: .off)

    /// What RFC 9111 lets a private cache do.
    public static let http = CacheRule(base: .http)

    /// The same with changes.
    public static func http(_ configure: (inout CacheRule) -> Void) -> CacheRule {
        var rule = CacheRule.http
        configure(&rule)
        return rule
    }

    /// Successful answers to GET, HEAD, POST and QUERY are good for a time the app sets: the key takes in the body and its
    /// arguments (YTK-28 to YTK-30). Other methods change something, and are always sent. The server's `no-store`, `no-cache` and shorter times are respected unless
    /// ``overridesServer`` is set.
    ///
    /// - Parameters:
    ///   - timeToLive: counted from the moment an answer arrives.
    ///   - version: of what the app makes of the answer; those stored under another are not used.
    ///   - configure: changes what else the rule says.
    public static func ttl(_ timeToLive: Duration, version: Int = 0, configure: (inout CacheRule) -> Void = { _ in }) -> CacheRule {
        var rule = CacheRule(base: .timed(timeToLive: timeToLive, version: version))
        configure(&rule)
        return rule
    }

    /// Asks the server whatever is stored, and stores what it answers (YTK's `startWithoutCache`).
    public static let reload = CacheRule(base: .inherited, use: .reload)
    /// Asks the server whether what is stored is still good. What it called `immutable` is good for its time (RFC 8246).
    public static let revalidate = CacheRule(base: .inherited, use: .revalidate)
    /// Uses what is stored and good, and else fails with `TarmacError(.notCached)`; nothing is sent.
    public static let onlyCached = CacheRule(base: .inherited, use: .onlyCached)
    /// Uses what is stored however old it is, unless the server forbids that, and asks the server only where nothing is.
    public static let cachedElseLoad = CacheRule(base: .inherited, use: .cachedElseLoad)

    init(base: Base, use: Use = .standard) {
        self.base = base
        self.use = use
    }

    /// Whether calls pass the cache.
    var isOn: Bool { base != .off }
    /// Whether nothing may be sent.
    var isSilent: Bool { use == .onlyCached || use == .peek }
    /// Whether the app says how long.
    var isTimed: Bool { if case .timed = base { true } else { false } }
    var timeToLive: Double? { if case .timed(let time, _) = base { time / .seconds(1) } else { nil } }
    var version: Int { if case .timed(_, let version) = base { version } else { 0 } }

    /// A rule that only says how to use what is stored, put upon another.
    func over(_ lower: CacheRule) -> CacheRule {
        guard base == .inherited else { return self }
        var rule = lower.isOn && lower.base != .inherited ? lower : .http
        rule.use = use
        return rule
    }

    /// Why it cannot be used.
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
