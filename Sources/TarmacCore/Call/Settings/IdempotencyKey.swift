/// The `Idempotency-Key` of a call. A server uses it to recognize a repeated request and to act on it only once
/// (draft-ietf-httpapi-idempotency-key-header; Stripe, Adyen, PayPal).
///
/// ```swift
/// options.idempotencyKey = .automatic                     // a new UUID for each call
/// options.idempotencyKey = .value(order.id.uuidString)    // known to the app, also after a restart
/// ```
/// The key is the same in every request of one call: retries, redirects, failovers and replays with another token. A
/// redirect that changes the method to GET drops it. A field of that name that the call itself sets wins.
///
/// By default, a request that is not idempotent and may have reached the server is retried only with a key
/// (`RetryRule`). Set one only if the server supports it.
public struct IdempotencyKey: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable, Sendable {
        case off, automatic, automaticQuoted
        case value(String)
    }
    private let kind: Kind

    /// Sends no idempotency key.
    public static let off = IdempotencyKey(kind: .off)
    /// A random UUID for each call whose method is not idempotent (RFC 9110 §9.2.2), such as POST and PATCH, without
    /// quotation marks.
    public static let automatic = IdempotencyKey(kind: .automatic)
    /// A random UUID as a quoted string, as the draft requires (§2.1, RFC 9651 §3.3.3). Most servers accept both
    /// forms; for some, the quotation marks are part of the key.
    public static let automaticQuoted = IdempotencyKey(kind: .automaticQuoted)
    /// Returns a key with the given text, for any method. It is sent unchanged: add quotation marks if the server
    /// requires a quoted string.
    public static func value(_ key: String) -> IdempotencyKey { IdempotencyKey(kind: .value(key)) }

    /// Returns the key of a new call, or `nil` for none.
    func key(isIdempotent: Bool, mint: () -> String) -> String? {
        if case .value(let key) = kind { return key }
        return isIdempotent ? nil : minted(mint)
    }

    /// Returns a new key, or `nil` if the rule generates none.
    package func minted(_ mint: () -> String) -> String? {
        switch kind {
        case .off, .value: nil
        case .automatic: mint()
        case .automaticQuoted: "\"\(mint())\""
        }
    }

    /// The reason the key is invalid, or `nil`.
    var fault: String? {
        guard case .value(let key) = kind else { return nil }
        if key.isEmpty { return "it is empty" }
        if key.utf8.count > 255 { return "it is longer than 255 bytes" }
        return key.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? nil : "it holds something else than visible ASCII characters"
    }

    /// The kind of the key. It never contains the key itself, which may be confidential.
    public var description: String {
        switch kind {
        case .off: "off"
        case .automatic: "automatic"
        case .automaticQuoted: "automatic, quoted"
        case .value: "given"
        }
    }
}
