/// The `Idempotency-Key` of a call: by it a server knows a request again, and acts on it once however often it arrives
/// (draft-ietf-httpapi-idempotency-key-header; Stripe, Adyen, PayPal).
///
/// ```swift
/// options.idempotencyKey = .automatic                     // a new UUID for each call
/// options.idempotencyKey = .value(order.id.uuidString)    // known to the app, also after a restart
/// ```
/// It is the same in every request of one call: repeats, redirects, failovers, replays with another token. A field of that
/// name that the call itself sets wins. Only with a key are requests that are not idempotent repeated
/// (``RetryRule``); set one only where the server keeps to it.
public struct IdempotencyKey: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable, Sendable {
        case off, automatic, automaticQuoted
        case value(String)
    }
    private let kind: Kind

    /// No key.
    public static let off = IdempotencyKey(kind: .off)
    /// A random UUID for each call whose method is not idempotent (RFC 9110 §9.2.2), such as POST and PATCH; sent bare.
    public static let automatic = IdempotencyKey(kind: .automatic)
    /// The same as a quoted string, as the draft has it (§2.1, RFC 9651 §3.3.3): for servers that read the field so. Most take either;
    /// to some the quotation marks are part of the key.
    public static let automaticQuoted = IdempotencyKey(kind: .automaticQuoted)
    /// This key, with any method. It is sent as it stands: for a server that wants a quoted string, as the draft does, quote it.
    public static func value(_ key: String) -> IdempotencyKey { IdempotencyKey(kind: .value(key)) }

    /// The key of a new call; `nil` for none.
    func key(isIdempotent: Bool, mint: () -> String) -> String? {
        if case .value(let key) = kind { return key }
        return isIdempotent ? nil : minted(mint)
    }

    /// A new key; `nil` unless keys are minted.
    package func minted(_ mint: () -> String) -> String? {
        switch kind {
        case .off, .value: nil
        case .automatic: mint()
        case .automaticQuoted: "\"\(mint())\""
        }
    }

    /// Why it cannot be used.
    var fault: String? {
        guard case .value(let key) = kind else { return nil }
        if key.isEmpty { return "it is empty" }
        if key.utf8.count > 255 { return "it is longer than 255 bytes" }
        return key.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? nil : "it holds something else than visible ASCII characters"
    }

    /// Never the key, which may name what only the server should know.
    public var description: String {
        switch kind {
        case .off: "off"
        case .automatic: "automatic"
        case .automaticQuoted: "automatic, quoted"
        case .value: "given"
        }
    }
}
