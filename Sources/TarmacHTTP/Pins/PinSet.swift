#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The pins of one host. A connection is made only if the server's certificates match one of the pins.
///
/// Every certificate of the verified chain counts, so you can pin the key of an issuer as well as the server's
/// own key. The usual checks of trust and host name apply in addition. A pin replaces neither.
public struct PinSet: Hashable, Sendable {
    /// The host: `api.shop.example`, or `*.shop.example` for every host below it at any depth, without the host
    /// itself.
    ///
    /// An address has no hosts below it. The port does not matter.
    public var host: String
    /// The pins. One match is enough. There must be at least two different pins; see ``allowsSinglePin``.
    public var pins: [Pin]
    /// Whether the set also applies to every host below `host`. Default: `false`.
    public var includesSubdomains: Bool
    /// The date at which the pins expire. Default: never.
    ///
    /// After that date the pins are not enforced, and every call over such a connection has a `.warning` event.
    /// Otherwise a planned change of keys would cut off an app that was not updated in time. Trust and host
    /// name still protect it, as without pins. Plain HTTP, which an enforced set refuses, is then treated as
    /// without pins: it is refused unless ``Options/allowsInsecureHTTP`` allows it. Pins that never expire have
    /// no date.
    public var expires: Date?
    /// Whether a connection that matches no pin is used, and every call over it has the event `.pinMismatch`. Use it to
    /// test pins with real traffic. Default: `false`, the connection is closed before any byte of the request is sent, and
    /// the call fails with `.pinMismatch`.
    public var reportsOnly: Bool
    /// Whether a single pin is allowed. Default: `false`, because the loss of that key would cut off every
    /// installed app.
    ///
    /// The second pin is a backup: the pin of a key that is stored elsewhere and not yet in use, or of an
    /// issuer (RFC 7469 §4.3).
    public var allowsSinglePin: Bool

    public init(
        _ host: String, _ pins: [Pin], includesSubdomains: Bool = false, expires: Date? = nil, reportsOnly: Bool = false,
        allowsSinglePin: Bool = false
    ) {
        self.host = host
        self.pins = pins
        self.includesSubdomains = includesSubdomains
        self.expires = expires
        self.reportsOnly = reportsOnly
        self.allowsSinglePin = allowsSinglePin
    }

    package func isExpired(_ now: Date) -> Bool { expires.map { now >= $0 } ?? false }

    /// The fault of the set, or `nil` if it is valid.
    var fault: TarmacError? {
        if let reason = pattern.fault { return Self.invalid("the host \"\(host.prefix(100))\" of a pin set \(reason)") }
        if let malformed = pins.lazy.compactMap(\.fault).first { return Self.invalid("a pin of \(host) is malformed: \(malformed)") }
        let count = Set(pins).count
        if count == 0 { return Self.invalid("the pin set of \(host) has no pins") }
        if count == 1, !allowsSinglePin {
            return Self.invalid(
                "\(host) has a single pin: the loss of that key would cut off everyone who has it",
                suggestion: "add a backup pin of another key, or set allowsSinglePin")
        }
        return nil
    }

    package var pattern: PinnedHost { PinnedHost(host, includesSubdomains: includesSubdomains) }

    private static func invalid(_ reason: String, suggestion: String? = nil) -> TarmacError {
        TarmacError(.invalidOption, "pins: \(reason)", suggestion: suggestion)
    }
}
