#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The pins of one host: a connection is made only if one of them is among the certificates the server shows.
///
/// Any certificate of the chain that was verified counts, so the key of an issuer can be pinned as well as the server's
/// own. The normal evaluation of trust and the check of the host name go on beside it; a pin replaces neither.
public struct PinSet: Hashable, Sendable {
    /// What becomes of a connection none of whose certificates is pinned.
    public enum Mode: String, Hashable, Sendable {
        /// It is closed before a byte of the request is sent, and the call fails with `.pinMismatch`.
        case enforced
        /// It is used, and every call over it has the event `.pinMismatch`: for trying pins out on living traffic.
        case reportOnly
    }

    /// The host: `api.shop.example`, or `*.shop.example` for every host below that one at any depth, but not itself.
    /// An address has no hosts below it. The port does not matter.
    public var host: String
    /// The pins; one match is enough. At least two that differ, see ``allowsSinglePin``.
    public var pins: [Pin]
    /// Whether every host below `host` is meant as well. Default: false.
    public var includesSubdomains: Bool
    /// When the pins end. Default: never.
    ///
    /// After that date they are not enforced any more, and every call over such a connection has a `.warning` event. An
    /// app that nobody has updated since would otherwise be cut off by a key that was replaced as planned, while trust
    /// and host name protect it as they do without pins. Plain http, which an enforced set refuses, is then as without pins
    /// too: refused unless ``Options/allowsInsecureHTTP`` says otherwise. Pins that are to hold for ever have no date.
    public var expires: Date?
    /// What becomes of a mismatch. Default: the connection is refused.
    public var mode: Mode
    /// Takes a single pin. Default: false, because the loss of that one key would cut off every app in the field. The second
    /// pin is a backup: of a key that is kept elsewhere and serves nobody yet, or of an issuer (RFC 7469 §4.3).
    public var allowsSinglePin: Bool

    public init(
        _ host: String, _ pins: [Pin], includesSubdomains: Bool = false, expires: Date? = nil, mode: Mode = .enforced,
        allowsSinglePin: Bool = false
    ) {
        self.host = host
        self.pins = pins
        self.includesSubdomains = includesSubdomains
        self.expires = expires
        self.mode = mode
        self.allowsSinglePin = allowsSinglePin
    }

    func isExpired(_ now: Date) -> Bool { expires.map { now >= $0 } ?? false }

    /// What is wrong with it; `nil` when nothing is.
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

    var pattern: PinnedHost { PinnedHost(host, includesSubdomains: includesSubdomains) }

    private static func invalid(_ reason: String, suggestion: String? = nil) -> TarmacError {
        TarmacError(.invalidOption, "pins: \(reason)", suggestion: suggestion)
    }
}
